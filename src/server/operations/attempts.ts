import { authorOf } from '#src/shared/author.ts';
import type { AttemptResult } from '#src/shared/answers.ts';
import { type OperationEvent, rejectEvent } from './events.ts';
import type { Advanced, AdvanceOptions, Journal } from './journal.ts';
import { LONGEST_WAIT_MS, LATEST_WAKE_MS } from './clocks.ts';
import {
  JournalAway,
  JournalUnsure,
  type OperationActor,
  type Connection,
  momentOf,
  passedSince,
  type Ports,
  type Sender,
} from './ports.ts';

/** Maximum time in ms between the "sending" transaction and the bytes; later, the attempt is not made. */
const COMMIT_HOLDS_MS = 10_000;
const WRITE_AGAIN_MS = 1_000;

export interface Unwritten {
  account: string;
  key: string;
  event: OperationEvent;
}

export type AttemptRunner = ReturnType<typeof createAttempts>;

type SendEvent = Extract<OperationEvent, { type: 'send' | 'retry' }>;

/** The only place that POSTs. `confirm` reads a withdrawal if the response lacked a field. */
export function createAttempts(ports: Ports, journal: Journal, confirm: (actor: Sender, key: string) => Promise<void>) {
  const { service } = ports;
  const running = new Map<Promise<void>, string>();
  const idleWaiters = new Map<string, (() => void)[]>();
  const unwritten = new Map<string, Unwritten>();
  const timers = new Map<string, { cancel: () => void; actor: Sender; retryAt: number }>();
  let stopping = false;

  /** Connects, records "sending" and writes the bytes. Resolves when the attempt is durably under way, or with why it isn't. */
  async function begin(actor: Sender, key: string, event: SendEvent, preconditions: AdvanceOptions): Promise<Advanced> {
    if (stopping) return rejectEvent('This server is stopping.');
    let connection: Connection;
    try {
      connection = await service.connect(actor.apiKey);
    } catch {
      const { attemptId } = event;
      const automatic = event.type === 'retry';
      const notConnected = { type: 'not-connected' as const, attemptId, ...authorOf(actor), automatic };
      return journal.advance(
        actor,
        key,
        notConnected,
        preconditions.ability === undefined ? {} : { ability: preconditions.ability },
      );
    }
    ports.crashPoint?.('connected');
    const begun = momentOf(actor.clock);
    let step: Advanced;
    try {
      step = await journal.advance(actor, key, event, preconditions);
    } catch (error) {
      connection.destroy();
      // It may have been committed after all, so record that the attempt was not made.
      if (error instanceof JournalUnsure)
        track(key, write(actor, key, { type: 'not-made', attemptId: event.attemptId }));
      throw error;
    }
    const { record } = step;
    if (record === null) {
      connection.destroy();
      return step;
    }
    ports.crashPoint?.('sending');
    if (passedSince(actor.clock, begun) >= COMMIT_HOLDS_MS) {
      connection.destroy();
      track(key, write(actor, key, { type: 'not-made', attemptId: event.attemptId }));
      return step;
    }
    // Write the bytes in the event-loop turn that reported the commit, without awaiting anything.
    const { path, body } = record;
    const posted = connection.post({ path, body, key, attempt: event.attemptId });
    track(key, answer(actor, key, event.attemptId, posted, preconditions.run));
    ports.crashPoint?.('sent');
    return step;
  }

  /** `run`: the run of its batch that sent it. */
  async function answer(
    actor: Sender,
    key: string,
    attemptId: string,
    posted: Promise<AttemptResult>,
    run: string | undefined,
  ): Promise<void> {
    const attempt = await posted;
    ports.crashPoint?.('answered');
    const event = { type: 'answer' as const, attemptId, attempt, jitter: ports.random(), taken: false };
    const next = await write(actor, key, event);
    ports.crashPoint?.('settled');
    for (const effect of next?.effects ?? []) {
      if (effect.type === 'wait') scheduleRetry(actor, key, effect.retryAt, run);
      if (effect.type === 'confirm') {
        // The database is away: the missing fields stay "not confirmed" until the next check.
        await confirm(actor, key).catch((error: unknown) => {
          if (!(error instanceof JournalAway || error instanceof JournalUnsure)) throw error;
        });
      }
    }
  }

  /** Retried until it is written. Writing it twice changes nothing, so a commit with a lost response does no harm. */
  async function write(
    actor: OperationActor,
    key: string,
    event: OperationEvent & { attemptId: string },
  ): Promise<Advanced | null> {
    unwritten.set(event.attemptId, { account: actor.account, key, event });
    for (;;) {
      try {
        const done = await journal.advance(actor, key, event);
        unwritten.delete(event.attemptId);
        return done;
      } catch (error) {
        if (!(error instanceof JournalAway || error instanceof JournalUnsure)) throw error;
        if (stopping) return null;
        await new Promise<void>((resolve) => actor.clock.later(resolve, WRITE_AGAIN_MS));
      }
    }
  }

  function scheduleRetry(actor: Sender, key: string, retryAt: number, run: string | undefined): void {
    const { clock } = actor;
    const pause = Math.max(0, retryAt - clock.wall());
    // No wait is that long, so the clock was set back.
    if (stopping || pause > LONGEST_WAIT_MS) {
      track(key, giveUp(actor, key, retryAt));
      return;
    }
    const due = clock.mono() + pause;
    const isOnTime = (): boolean =>
      Math.max(Math.abs(clock.wall() - retryAt), Math.abs(clock.mono() - due)) <= LATEST_WAKE_MS;
    const wake = async (): Promise<void> => {
      // After a Stop, a person may have resent it before this timer fired.
      if (timers.get(key)?.retryAt === retryAt) timers.delete(key);
      if (!isOnTime()) return giveUp(actor, key, retryAt);
      const event: SendEvent = { type: 'retry', attemptId: ports.newAttemptId(), retryAt };
      try {
        const step = await begin(actor, key, event, run === undefined ? {} : { run });
        if (step.record === null) await giveUp(actor, key, retryAt);
      } catch {
        // The database is away, or the session of a batch's run has ended: the retry is missed, and only a person can resend.
        await giveUp(actor, key, retryAt);
      }
    };
    const cancel = clock.later(() => track(key, wake()), pause);
    timers.set(key, { cancel, actor, retryAt });
  }

  async function giveUp(actor: OperationActor, key: string, retryAt: number): Promise<void> {
    // If this write fails: the retry's time is over anyway, so nothing is sent.
    await journal.advance(actor, key, { type: 'give-up', retryAt }).catch(() => undefined);
  }

  function track(key: string, work: Promise<unknown>): void {
    const over: Promise<void> = work
      .then(() => undefined)
      .catch((error: unknown) => console.error('operations:', error))
      .finally(() => {
        running.delete(over);
        if (isBusy(key)) return;
        for (const resolve of idleWaiters.get(key) ?? []) resolve();
        idleWaiters.delete(key);
      });
    running.set(over, key);
  }

  /** Whether this server runs an attempt or has a timer for an automatic retry. */
  function isBusy(key: string): boolean {
    return timers.has(key) || [...running.values()].includes(key);
  }

  /** Resolves when this server's attempts for the key are over and recorded. */
  function idle(key: string): Promise<void> {
    if (!isBusy(key)) return Promise.resolve();
    return new Promise((resolve) => idleWaiters.set(key, [...(idleWaiters.get(key) ?? []), resolve]));
  }

  async function whenIdle(): Promise<void> {
    while (running.size > 0) await Promise.all(running.keys());
  }

  return {
    begin,
    idle,
    unwritten: () => [...unwritten.values()],
    whenIdle,
    isStopping: () => stopping,
    /** Starts no more attempts or timers; resolves when the running attempts are over and recorded. */
    stop: async () => {
      stopping = true;
      for (const [key, { cancel, actor, retryAt }] of timers) {
        cancel();
        track(key, giveUp(actor, key, retryAt));
      }
      timers.clear();
      await whenIdle();
    },
  };
}
