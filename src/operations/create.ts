import { isObject, parseJson } from '#src/lib/answers.ts';
import { READ_ONLY } from './allowed.ts';
import { createAttempts } from './attempts.ts';
import { createChecking } from './checking.ts';
import { readServiceDate } from './dateRead.ts';
import { createEnding, notDone, resultOf } from './ending.ts';
import { mirrored } from './mirrored.ts';
import { momentOf } from './moment.ts';
import type { Operations } from './operations.ts';
import type { ActionResult } from './outcomes.ts';
import { createSettling } from './settling.ts';
import { createStarting } from './starting.ts';
import { createStore } from './store.ts';
import { isShown, owns } from './views.ts';
import type { World } from './world.ts';

/** Operations on the given world; `settled` resolves when every attempt of this page is over. */
export function createOperations(given: World): Operations & { settled: () => Promise<void> } {
  const journal = mirrored(given.journal, given.mirror);
  const store = createStore(journal);
  const world: World = { ...given, journal, network: listening };
  const attempts = createAttempts(world, store, (id) => void checking.check(id));
  const checking = createChecking(world, store, attempts);
  const starting = createStarting(world, store, attempts);
  const ending = createEnding(world, store, attempts, checking);
  const settling = createSettling(world, store, attempts, checking, serviceNow);
  const busy = new Map<string, { what: string; acting: Promise<ActionResult> }>();
  given.mirror.listen(oneAtATime(settling.look));

  /** Every answer of the service tells its time; a web page that answers in its place has another clock. */
  async function listening(call: Parameters<World['network']>[0]): ReturnType<World['network']> {
    const attempt = await given.network(call);
    const account = call.account ?? given.session()?.account;
    if (attempt.kind === 'answer' && attempt.date !== null && attempt.gatewayError === null && account) {
      const isService = attempt.complete && isObject(parseJson(attempt.text));
      if (isService) store.update({ heard: { date: attempt.date, mono: given.mono(), account } });
    }
    return attempt;
  }

  /** No await comes before the guard: a double click is one act, and one act at a time is done to an operation. */
  function act(id: string, what: string, work: () => Promise<ActionResult>): Promise<ActionResult> {
    const running = busy.get(id);
    if (running) return running.what === what ? running.acting : Promise.resolve(notDone('This is under way.'));
    const acting = work()
      .catch((error: unknown) => notDone(error instanceof Error ? error.message : String(error)))
      .then(async (result) => {
        // What stood in the way may have happened in another tab.
        if (result.outcome === 'not-done') await store.read();
        return result;
      })
      .finally(() => busy.delete(id));
    busy.set(id, { what, acting });
    return acting;
  }

  async function sendAgain(id: string, expects: 'ready' | 'unconfirmed'): Promise<ActionResult> {
    const session = world.session();
    const record = await world.journal.get(id);
    if (session === null || record === null || !owns(session, record)) {
      return notDone('This operation belongs to another account, or cannot be read.');
    }
    if (session.read_only) return notDone(READ_ONLY);
    const readAt = momentOf(world);
    const read = await readServiceDate(world.network, record.account);
    if ('reason' in read) return notDone(`${read.reason} Nothing was sent.`);
    if (!owns(world.session(), record)) return notDone('Another account is signed in now. Nothing was sent.');
    return resultOf(await attempts.begin(id, expects, read.date, readAt));
  }

  async function seen(id: string): Promise<void> {
    const session = world.session();
    const record = await world.journal.get(id);
    if (session === null || record === null || !isShown(store.getSnapshot(), session, record)) return;
    if (serviceNow() === null) await readServiceDate(world.network, session.account);
    const date = serviceNow();
    if (date !== null) await attempts.advance(id, { type: 'seen', date });
  }

  async function evidence(id: string): Promise<string | null> {
    const record = await world.journal.get(id);
    const recorded = record ?? (await world.journal.raw(id));
    return recorded === null ? null : JSON.stringify(recorded, null, 2);
  }

  function serviceNow(): number | null {
    const { heard } = store.getSnapshot();
    if (heard === null || heard.account !== given.session()?.account) return null;
    return heard.date + Math.floor((given.mono() - heard.mono) / 1_000);
  }

  return {
    subscribe: store.subscribe,
    getSnapshot: store.getSnapshot,
    refresh: settling.refresh,
    start: starting.start,
    send: (id) => act(id, 'send', () => sendAgain(id, 'ready')),
    resend: (id) => act(id, 'resend', () => sendAgain(id, 'unconfirmed')),
    discard: (id) => act(id, 'discard', () => ending.discard(id)),
    check: checking.check,
    close: (id, words) => act(id, 'close', () => ending.close(id, words)),
    confirmNotSent: (id, words) => act(id, 'confirm', () => ending.confirmNotSent(id, words)),
    seen: (id) => seen(id).catch((error: unknown) => store.fail(error)),
    evidence,
    serviceNow,
    settled: attempts.settled,
  };
}

/** Many calls while one runs are one more after it. */
function oneAtATime(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => {
    again = true;
    if (!running) void run();
  };
}
