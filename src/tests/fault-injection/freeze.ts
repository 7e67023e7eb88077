import type { Scene, SimulatedServer } from './scene.ts';

/** Freezes a process for this time; `blind`: its clocks stop too. */
export function freezeServer(scene: Scene, server: SimulatedServer, ms: number, blind: boolean): void {
  if (scene.faultRate === 0) return;
  const { name, host, machine } = server;
  machine.awakeAt = Math.max(machine.awakeAt, scene.agenda.now() + ms);
  if (scene.judge.batches.isRunningOn(server)) scene.count('keyRunsFrozen');
  scene.count(ms > 3_600_000 ? 'processesFrozenLong' : 'processesFrozen');
  scene.tell?.(`${name} stands still for ${Math.round(ms / 1_000)} s${blind ? ', and so do its clocks' : ''}`);
  if (!blind) return;
  // They are the clocks of the machine: its other processes can't see the time pass either.
  for (const other of scene.servers) if (other.host === host) other.frozenFor += ms;
  host.stoppedFor += ms;
  // Until its clock is corrected.
  if (scene.rightClock === 'server') return;
  host.skew -= ms;
}
