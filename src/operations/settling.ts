import type { Attempts } from './attempts.ts';
import type { Checking } from './checking.ts';
import { readServiceDate } from './dateRead.ts';
import { mattersStill } from './lookAlikes.ts';
import { createOtherKey } from './otherKey.ts';
import { type OperationRecord, isFinal, isUnresolved } from './record.ts';
import { COMPARED } from './sameSend.ts';
import { isWaiting } from './sleep.ts';
import type { Store } from './store.ts';
import { isShown, owns } from './views.ts';
import type { World } from './world.ts';

/** An attempt older than this is over, whatever its lock says: it has 30 s, body included. Milliseconds. */
export const OVER_MS = 40_000;
/** A finished record is dropped so long after a person saw it; seconds. */
export const KEPT_SECONDS = 7 * 24 * 60 * 60;

export interface Settling {
  /** Reads the journal again, and settles what nobody is running any more. */
  look: () => Promise<void>;
  /** The same; then what is unconfirmed is looked up once per page, by reads only. Nothing is ever sent from here. */
  refresh: () => Promise<void>;
}

export function createSettling(
  world: World,
  store: Store,
  attempts: Attempts,
  checking: Checking,
  serviceNow: () => number | null,
): Settling {
  const looked = new Set<string>();
  const watched = new Set<string>();
  const otherKey = createOtherKey(world, store);

  async function look(): Promise<void> {
    await store.read();
    try {
      await Promise.all(store.getSnapshot().records.map(demote));
    } catch (error) {
      store.fail(error);
    }
  }

  async function refresh(): Promise<void> {
    await look();
    const session = world.session();
    if (session === null) return;
    const own = store.getSnapshot().records.filter((record) => owns(session, record));
    if (own.length > 0 && !store.getSnapshot().mayForget) await askWhetherKept();
    await Promise.all(own.map(lookOnce));
    const wantsDate = own.some((record) => isUnresolved(record.state) || seemsOld(record));
    if (wantsDate && store.getSnapshot().heard?.account !== session.account) {
      await readServiceDate(world.network, session.account);
    }
    await otherKey.look();
    await dropOld(store.getSnapshot().records.filter((record) => isShown(store.getSnapshot(), session, record)));
  }

  /** Whoever it belongs to: an attempt that is over is over. */
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

  /** By the device's clock only whether it is worth asking the service's. */
  function seemsOld({ seenAt }: OperationRecord): boolean {
    return seenAt !== undefined && world.wall() / 1_000 - seenAt >= KEPT_SECONDS;
  }

  async function dropOld(shown: OperationRecord[]): Promise<void> {
    const now = serviceNow();
    if (now === null) return;
    const old = shown.filter((record) => {
      const { state, seenAt } = record;
      return isFinal(state) && seenAt !== undefined && now - seenAt >= KEPT_SECONDS && !mattersStill(record, now);
    });
    try {
      for (const { id, revision } of old) await world.journal.drop(id, revision);
    } catch (error) {
      store.fail(error);
    }
    if (old.length > 0) await store.read();
  }

  async function askWhetherKept(): Promise<void> {
    const kept = await world.persisted(false).catch(() => null);
    store.update({ mayForget: kept !== true });
  }

  return { look, refresh };
}
