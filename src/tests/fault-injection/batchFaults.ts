import { freezeServer } from './freeze.ts';
import { type BatchCommand, commandBatch, lookAtBatch } from './batchCommands.ts';
import { type Scene, type SimulatedPage, alivePages } from './scene.ts';
import { kill } from './servers.ts';
import { backUp, setBack } from './setBack.ts';
import { signOutPage } from './session.ts';

const SECOND = 1_000;
/** As long as a run takes for a few lines. */
const DISTURB_WITHIN_MS = 8 * SECOND;
/** Shorter and longer than a run's lease of a minute. */
const FROZEN_MS = [SECOND, 9 * SECOND, 11 * SECOND, 70 * SECOND, 600 * SECOND] as const;

/** After a press of Start: disturbs most runs while they send their lines. */
export function disturbRun(scene: Scene, page: SimulatedPage, id: string): void {
  const { batchRandom: random, agenda, faultRate } = scene;
  if (random === null || faultRate === 0) return;
  if (scene.setsBack && random.chance(0.6)) return loseRun(scene);
  if (random.chance(0.35)) return;
  const kind = random.pick([
    'kill',
    'freeze',
    'freeze',
    'stopServer',
    'stop',
    'withdraw',
    'exclude',
    'signOut',
  ] as const);
  const disturb = (): void => {
    const server = scene.judge.batches.serverOf(id);
    agenda.stir();
    switch (kind) {
      case 'kill':
        return server === null ? undefined : kill(scene, server, 'serversKilled');
      case 'freeze':
        if (server === null) return;
        freezeServer(scene, server, random.pick(FROZEN_MS), random.chance(0.4));
        if (random.chance(0.6)) replaceRun(scene, id);
        return;
      case 'stopServer':
        return server === null ? undefined : scene.stopServer(server);
      case 'signOut':
        return signOutPage(scene, page);
      case 'stop':
      case 'withdraw':
      case 'exclude':
        return pressSomewhere(scene, id, kind);
    }
  };
  agenda.after(random.whole(100, DISTURB_WITHIN_MS), disturb);
}

/** The journal is set back to a copy from the beginning of the run. */
function loseRun(scene: Scene): void {
  const { agenda, batchRandom: random } = scene;
  if (random === null) return;
  agenda.after(random.whole(100, 3 * SECOND), () => backUp(scene));
  agenda.after(random.whole(3 * SECOND, 2 * DISTURB_WITHIN_MS), () => setBack(scene));
}

function pageWithBatch(scene: Scene, id: string): SimulatedPage | undefined {
  return alivePages(scene).find(({ batches }) => batches.has(id));
}

/** Somebody who sees the batch on one of the open pages presses a button. */
function pressSomewhere(scene: Scene, id: string, command: BatchCommand): void {
  const page = pageWithBatch(scene, id);
  if (page !== undefined) commandBatch(scene, page, id, command);
}

/** While the run's server stands still, somebody stops the batch and perhaps continues it, on any server. */
function replaceRun(scene: Scene, id: string): void {
  const { agenda, batchRandom: random } = scene;
  const page = pageWithBatch(scene, id);
  if (page === undefined || random === null) return;
  commandBatch(scene, page, id, 'stop');
  const goOn = async (): Promise<void> => {
    agenda.stir();
    await lookAtBatch(scene, page, id);
    pressSomewhere(scene, id, 'start');
  };
  if (random.chance(0.7)) agenda.after(random.whole(SECOND, 90 * SECOND), () => void goOn(), page.machine);
}
