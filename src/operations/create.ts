import { READ_ONLY } from './allowed.ts';
import { createAttempts } from './attempts.ts';
import { createChecking } from './checking.ts';
import { readServiceDate } from './dateRead.ts';
import type { Operations } from './operations.ts';
import type { ActionResult } from './outcomes.ts';
import type { Step } from './step.ts';
import { createRefresh } from './settling.ts';
import { createStarting } from './starting.ts';
import { createStore } from './store.ts';
import { owns } from './views.ts';
import type { World } from './world.ts';

/** Operations on the given world; `settled` resolves when every attempt of this page is over. */
export function createOperations(given: World): Operations & { settled: () => Promise<void> } {
  const store = createStore(given.journal);
  const world: World = { ...given, network: listening };
  const attempts = createAttempts(world, store, (id) => void checking.check(id));
  const checking = createChecking(world, store, attempts);
  const starting = createStarting(world, store, attempts);
  const busy = new Map<string, Promise<ActionResult>>();

  /** Every answer tells the service's time. */
  async function listening(call: Parameters<World['network']>[0]): ReturnType<World['network']> {
    const attempt = await given.network(call);
    const account = call.account ?? given.session()?.account;
    if (attempt.kind === 'answer' && attempt.date !== null && attempt.gatewayError === null && account) {
      store.update({ heard: { date: attempt.date, mono: given.mono(), account } });
    }
    return attempt;
  }

  /** No await comes before the guard: a double click is one act. */
  function act(id: string, work: () => Promise<ActionResult>): Promise<ActionResult> {
    const running = busy.get(id);
    if (running) return running;
    const acting = work()
      .catch((error: unknown) => notDone(error instanceof Error ? error.message : String(error)))
      .then(async (result) => {
        // What stood in the way may have happened in another tab.
        if (result.outcome === 'not-done') await store.read();
        return result;
      })
      .finally(() => busy.delete(id));
    busy.set(id, acting);
    return acting;
  }

  async function sendAgain(id: string, expects: 'ready' | 'unconfirmed'): Promise<ActionResult> {
    const session = world.session();
    const record = await world.journal.get(id);
    if (session === null || record === null || !owns(session, record)) {
      return notDone('This operation belongs to another account, or cannot be read.');
    }
    if (session.read_only) return notDone(READ_ONLY);
    const readAt = { wall: world.wall(), mono: world.mono() };
    const read = await readServiceDate(world.network, record.account);
    if ('reason' in read) return notDone(`${read.reason} Nothing was sent.`);
    if (!owns(world.session(), record)) return notDone('Another account is signed in now. Nothing was sent.');
    return resultOf(await attempts.begin(id, expects, read.date, readAt));
  }

  async function discard(id: string): Promise<ActionResult> {
    const record = await world.journal.get(id);
    if (record === null || !owns(world.session(), record)) return notDone('This operation cannot be read here.');
    return resultOf(await attempts.advance(id, { type: 'discard', at: world.wall() }, 'ready'));
  }

  async function close(id: string, words: string): Promise<ActionResult> {
    return resultOf(await attempts.advance(id, { type: 'close', at: world.wall(), words }));
  }

  /** Absence is looked up again now: what an earlier check saw may have changed. */
  async function confirmNotSent(id: string, words: string): Promise<ActionResult> {
    const checked = await checking.check(id);
    if (checked.outcome === 'not-done') return checked;
    const { complete, date, lookAlikes, requestId } = checked.note;
    if (!complete || date === null || lookAlikes === null) {
      return notDone('The service’s list of withdrawals could not be read to its end, so absence proves nothing.');
    }
    if (lookAlikes.length > 0) return notDone('The service lists a withdrawal that looks like this one.');
    return resultOf(await attempts.advance(id, { type: 'absent', at: world.wall(), words, date, requestId }));
  }

  async function seen(id: string): Promise<void> {
    const date = serviceNow();
    if (date !== null) await attempts.advance(id, { type: 'seen', date });
  }

  async function evidence(id: string): Promise<string | null> {
    const record = await world.journal.get(id);
    return record === null ? null : JSON.stringify(record, null, 2);
  }

  function serviceNow(): number | null {
    const { heard } = store.getSnapshot();
    if (heard === null || heard.account !== given.session()?.account) return null;
    return heard.date + Math.floor((given.mono() - heard.mono) / 1_000);
  }

  return {
    subscribe: store.subscribe,
    getSnapshot: store.getSnapshot,
    refresh: createRefresh(world, store, attempts, checking),
    start: starting.start,
    send: (id) => act(id, () => sendAgain(id, 'ready')),
    resend: (id) => act(id, () => sendAgain(id, 'unconfirmed')),
    discard: (id) => act(id, () => discard(id)),
    check: checking.check,
    close: (id, words) => act(id, () => close(id, words)),
    confirmNotSent: (id, words) => act(id, () => confirmNotSent(id, words)),
    seen,
    evidence,
    serviceNow,
    settled: attempts.settled,
  };
}

function resultOf(step: Step): ActionResult {
  return step.record === null ? notDone(step.refused) : { outcome: 'done', record: step.record };
}

function notDone(reason: string): ActionResult {
  return { outcome: 'not-done', reason };
}
