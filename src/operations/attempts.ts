import type { Attempt } from '#src/api/http.ts';
import { step } from './engine.ts';
import { type Moment, passedSince } from './moment.ts';
import type { OperationRecord } from './record.ts';
import { LATEST_WAKE_MS } from './retries.ts';
import type { OperationEvent, Step } from './step.ts';
import type { Store } from './store.ts';
import { owns } from './views.ts';
import type { World } from './world.ts';

/** Longest pause between the service's Date and the request that it allows; milliseconds. */
const DATE_HOLDS_MS = 60_000;

export interface Attempts {
  /** Applies an event to the record as it is now, again after every revision conflict. */
  advance: (id: string, event: OperationEvent, expects?: OperationRecord['state']) => Promise<Step>;
  /** Starts an attempt that a person asked for; resolves when it is durably under way, with what became of the record. */
  begin: (id: string, expects: 'ready' | 'unconfirmed', date: number, readAt: Moment) => Promise<Step>;
  /** This page is making an attempt for it. */
  isRunning: (id: string) => boolean;
  /** When every attempt of this page is over. */
  settled: () => Promise<void>;
}

/** Makes attempts: the only place that POSTs. `confirm` reads a withdrawal whose answer did not state every field. */
export function createAttempts(world: World, store: Store, confirm: (id: string) => void): Attempts {
  const { journal, network, wall, mono } = world;
  const running = new Map<string, Promise<void>>();

  async function advance(id: string, event: OperationEvent, expects?: OperationRecord['state']): Promise<Step> {
    for (;;) {
      const record = await journal.get(id);
      if (record === null) return { record: null, effects: [], refused: 'This operation cannot be read.' };
      if (expects !== undefined && record.state !== expects) {
        return { record: null, effects: [], refused: 'Meanwhile it went on, perhaps in another tab.' };
      }
      const next = step(record, event);
      if (next.record === null) return next;
      if (await journal.replace(next.record, record.revision)) {
        store.put(next.record);
        return next;
      }
    }
  }

  async function begin(id: string, expects: 'ready' | 'unconfirmed', date: number, readAt: Moment): Promise<Step> {
    const attemptId = world.name('at_');
    return start(id, { type: 'send', attemptId, at: wall(), date }, expects, () => isFresh(readAt));
  }

  /** Both writes are committed before fetch; the lock is held before anybody can see the attempt. */
  async function start(
    id: string,
    event: Extract<OperationEvent, { type: 'send' | 'retry' }>,
    expects: OperationRecord['state'],
    mayStill: () => boolean,
  ): Promise<Step> {
    const release = world.locks.hold(event.attemptId);
    const begun = await advance(id, event, expects).catch((error: unknown) => {
      release();
      throw error;
    });
    if (begun.record === null) {
      release();
      return begun;
    }
    const work = post(begun.record, event.attemptId, mayStill)
      .catch((error: unknown) => store.fail(error))
      .finally(() => {
        release();
        if (running.get(id) === work) running.delete(id);
      });
    running.set(id, work);
    return begun;
  }

  async function post(record: OperationRecord, attemptId: string, mayStill: () => boolean): Promise<void> {
    if (!mayStill()) {
      await advance(record.id, { type: 'not-made', attemptId, at: wall() });
      return;
    }
    const { id, path, body, key, account } = record;
    const attempt = await network({ method: 'POST', path, body, key, account }).catch((): Attempt => {
      return { kind: 'no-answer', reason: 'network', ms: 0 };
    });
    const next = await advance(id, { type: 'answer', attemptId, at: wall(), attempt, jitter: world.random() });
    for (const effect of next.effects) {
      if (effect.type === 'wait') wait(id, effect.retryAt);
      if (effect.type === 'confirm') confirm(id);
    }
  }

  function wait(id: string, retryAt: number): void {
    const pause = Math.max(0, retryAt - wall());
    const due = mono() + pause;
    const wake = async (): Promise<void> => {
      const record = await journal.get(id);
      const isOnTime = (): boolean => Math.max(Math.abs(wall() - retryAt), Math.abs(mono() - due)) <= LATEST_WAKE_MS;
      if (record === null || !maySend(record) || !isOnTime()) {
        await advance(id, { type: 'give-up', retryAt });
        return;
      }
      const event = { type: 'retry' as const, attemptId: world.name('at_'), at: wall(), retryAt };
      await start(id, event, 'unconfirmed', () => isOnTime() && maySend(record));
    };
    world.later(() => void wake().catch((error: unknown) => store.fail(error)), pause);
  }

  function maySend(record: OperationRecord): boolean {
    const session = world.session();
    return owns(session, record) && session?.read_only === false;
  }

  /** A device that slept in between has no idea of the time: such a read allows nothing. */
  function isFresh(readAt: Moment): boolean {
    return passedSince(world, readAt) <= DATE_HOLDS_MS;
  }

  return {
    advance,
    begin,
    isRunning: (id) => running.has(id),
    settled: async () => {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
