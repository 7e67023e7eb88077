import type { Attempts } from './attempts.ts';
import type { Checking } from './checking.ts';
import { readServiceDate } from './dateRead.ts';
import { type OperationRecord, isUnresolved } from './record.ts';
import { COMPARED } from './sameSend.ts';
import { isWaiting } from './sleep.ts';
import type { Store } from './store.ts';
import { owns } from './views.ts';
import type { World } from './world.ts';

/** An attempt older than this is over, whatever its lock says: it has 30 s, body included. Milliseconds. */
export const OVER_MS = 40_000;

/**
 * Reads the journal again, then: `sending` that nobody runs any more becomes unconfirmed; what is unconfirmed is
 * looked up once per page, by reads only. Nothing is ever sent from here.
 */
export function createRefresh(world: World, store: Store, attempts: Attempts, checking: Checking): () => Promise<void> {
  const looked = new Set<string>();
  const watched = new Set<string>();

  async function refresh(): Promise<void> {
    await store.read();
    const session = world.session();
    const own = store.getSnapshot().records.filter((record) => owns(session, record));
    if (own.length > 0 && !store.getSnapshot().mayForget) await askWhetherKept();
    try {
      await Promise.all(own.map(demote));
    } catch (error) {
      store.fail(error);
      return;
    }
    await Promise.all(own.map(lookOnce));
    const open = own.some(({ state }) => isUnresolved(state));
    if (session !== null && open && store.getSnapshot().heard?.account !== session.account) {
      await readServiceDate(world.network, session.account);
    }
  }

  async function demote(record: OperationRecord): Promise<void> {
    const attempt = record.attempts.at(-1);
    if (record.state !== 'sending' || !attempt || attempts.isRunning(record.id)) return;
    // A clock that was set back says nothing of the age, so it counts as old.
    const age = world.wall() - attempt.start;
    const isOver = age < 0 || age >= OVER_MS;
    if (isOver || (await world.locks.isFree(attempt.id)) === true) {
      await attempts.advance(record.id, { type: 'demote', attemptId: attempt.id });
    } else if (!watched.has(attempt.id)) {
      watched.add(attempt.id);
      world.later(() => void refresh(), OVER_MS - age);
    }
  }

  async function lookOnce({ id }: OperationRecord): Promise<void> {
    const record = store.getSnapshot().records.find((shown) => shown.id === id);
    if (!record || looked.has(id) || isWaiting(record, world.wall())) return;
    if (record.kind !== 'withdrawal') return;
    const isPartly = record.state === 'succeeded' && (record.result?.confirmed.length ?? 0) < COMPARED.length;
    if (record.state !== 'unconfirmed' && !isPartly) return;
    looked.add(id);
    await checking.check(id);
  }

  async function askWhetherKept(): Promise<void> {
    const kept = await world.persisted(false).catch(() => null);
    store.update({ mayForget: kept !== true });
  }

  return refresh;
}
