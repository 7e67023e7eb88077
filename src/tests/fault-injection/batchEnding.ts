import { type BatchCommand, commandBatch, lookAtBatch, offeredCommands } from './batchCommands.ts';
import { type Scene, type SimulatedAccount, type SimulatedPage, isBatchOver } from './scene.ts';

/** Longer than a run takes to send the lines of a batch, without faults. */
const RUN_SETTLES_MS = 5 * 60 * 1_000;
const LOOK_MS = 60_000;
/** Wait, stop, start, exclude, stop again, withdraw. */
const MOST_COMMANDS = 6;

/** Batches of the account that have not ended. */
export function openBatches({ database }: Scene, account: SimulatedAccount): string[] {
  const all = [...database.batches.values()].filter((batch) => batch.account === account.name);
  return all.filter(({ state }) => !isBatchOver(state)).map(({ id }) => id);
}

/** Continues the batch or not, perhaps excludes a line, and withdraws the rest: nothing of it waits then. */
export async function endBatch(scene: Scene, page: SimulatedPage, id: string): Promise<void> {
  const { random, agenda } = scene;
  const order: BatchCommand[] = ['stop', 'withdraw'];
  if (random.chance(0.3)) order.unshift('exclude');
  if (random.chance(0.6)) order.unshift('start');
  for (let commands = 0; commands < MOST_COMMANDS; commands += 1) {
    await loadBatch(scene, page, id);
    const shown = page.batches.get(id);
    if (shown === undefined) return;
    const { view } = shown;
    if (commands === 0 && view.batch.state === 'running') {
      await agenda.run(RUN_SETTLES_MS);
      continue;
    }
    const offered = offeredCommands(view, view.now);
    const command = order.find((one) => offered.includes(one));
    if (command === undefined) return;
    if (command === 'start' || command === 'exclude') order.splice(order.indexOf(command), 1);
    commandBatch(scene, page, id, command);
    await agenda.run(command === 'start' ? RUN_SETTLES_MS : LOOK_MS);
  }
}

/** Opens the batch's page, which ends a batch with nothing left to send. */
export async function loadBatch(scene: Scene, page: SimulatedPage, id: string): Promise<void> {
  scene.agenda.stir();
  void lookAtBatch(scene, page, id);
  await scene.agenda.run(LOOK_MS);
}
