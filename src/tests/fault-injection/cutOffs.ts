import type { Scene, SimulatedServer } from './scene.ts';

const SECOND = 1_000;

/** May cut a server off from the database just after it sent something, so that it can't record the response. */
export function mayCutOff(scene: Scene, server: SimulatedServer): void {
  const { random, agenda, worlds, faultRate } = scene;
  if (faultRate === 0) return;
  // Other servers may continue with the operation in the meantime.
  if ((worlds.cutsServersOff || worlds.secondIds) && random.chance(worlds.secondIds ? 0.5 : 0.25)) {
    scene.count('serversCutOff');
    server.cutOffUntil = agenda.now() + random.whole(60 * SECOND, 600 * SECOND);
  }
  if (worlds.slowStops && random.chance(0.2)) {
    scene.count('stopsWhileAway');
    scene.database.awayUntil = agenda.now() + random.whole(40 * SECOND, 180 * SECOND);
    agenda.after(random.whole(0, SECOND), () => scene.stopServer(server));
  }
}
