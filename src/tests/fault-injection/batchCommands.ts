import { BATCHES_PATH, type BatchView } from '#src/shared/contract/batchContract.ts';
import { isPastStart } from '#src/shared/batches/batchWords.ts';
import { PRESS_HOLDS_MS } from '#src/shared/contract/gatewayContract.ts';
import { ask, batchViewIn, messageOf } from './hop.ts';
import { learn, limitAhead } from './pages.ts';
import { type PageReply, type Scene, type SimulatedPage, pageMono } from './scene.ts';

// A batch's page: what it loads, offers and sends.

export type BatchCommand = 'start' | 'stop' | 'withdraw' | 'exclude';

type BatchCall = Omit<Parameters<typeof ask>[2], 'under'>;

/** Sends a request, and updates the page from the response. */
export async function askBatches(scene: Scene, page: SimulatedPage, call: BatchCall): Promise<PageReply> {
  const reply = await ask(scene, page, { ...call, under: BATCHES_PATH });
  const view = batchViewIn(reply);
  if (view === null) {
    learn(scene, page, { ...reply, body: {} });
    return reply;
  }
  const before = page.batches.get(view.batch.id)?.view.batch.revision ?? 0;
  if (view.batch.revision >= before) page.batches.set(view.batch.id, { view, mono: pageMono(scene) });
  return reply;
}

/** Loads a batch's page. */
export function lookAtBatch(scene: Scene, page: SimulatedPage, id: string): Promise<PageReply> {
  return askBatches(scene, page, { method: 'GET', path: `/${id}` });
}

/** The buttons of a batch's page. `now`: the database's time, as extrapolated by the page. */
export function offeredCommands({ batch }: BatchView, now: number): BatchCommand[] {
  if (batch.state === 'running') return ['stop'];
  const waiting = batch.counts['awaiting'] ?? 0;
  if (waiting === 0 || (batch.state !== 'waiting' && batch.state !== 'paused')) return [];
  return isPastStart(batch, now) ? ['exclude', 'withdraw'] : ['start', 'exclude', 'withdraw'];
}

/** Presses a button on a batch's page. */
export function commandBatch(scene: Scene, page: SimulatedPage, id: string, command: BatchCommand): void {
  const shown = page.batches.get(id);
  if (shown === undefined) return;
  const { random } = scene;
  scene.agenda.stir();
  scene.tell?.(`${page.name}: ${command} ${id}`);
  const post = async (body?: object): Promise<void> => {
    const reply = await askBatches(scene, page, { method: 'POST', path: `/${id}/${command}`, ...(body && { body }) });
    scene.tell?.(`${page.name}: ${command} ${id}: ${reply.status} ${messageOf(reply) ?? ''}`);
  };
  switch (command) {
    case 'start': {
      // A limit too far ahead is refused, but a copy that arrives shortly before the limit is accepted.
      const ahead = limitAhead(scene);
      const notAfter = shown.view.now + (pageMono(scene) - shown.mono) + PRESS_HOLDS_MS + ahead;
      const body = { revision: shown.view.batch.revision, not_after: notAfter };
      scene.judge.pressed(id, ahead);
      void post(body);
      if (!random.chance(0.1)) return;
      scene.count('doubleClicks');
      return void post(body);
    }
    case 'stop':
    case 'withdraw':
      return void post();
    case 'exclude': {
      const waiting = shown.view.lines.filter(({ state }) => state === 'awaiting');
      if (waiting.length > 0) void post({ line: random.pick(waiting).line });
    }
  }
}
