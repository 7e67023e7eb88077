import { authorOf } from '#src/shared/author.ts';
import type { BatchReason } from '#src/shared/contract/batchContract.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { AttemptRunner } from '#src/server/operations/attempts.ts';
import type { Advanced, Journal } from '#src/server/operations/journal.ts';
import { comparedSince, paidOutside } from '#src/server/operations/paidOutside.ts';
import { type ReadWithdrawals, readWithdrawalsSince } from '#src/server/operations/withdrawalList.ts';
import {
  type Batch,
  type Clock,
  instantOf,
  JournalAway,
  JournalUnsure,
  momentOf,
  passedSince,
  type Ports,
  type Sender,
} from '#src/server/operations/ports.ts';
import { NotPermitted, SessionEnded } from '#src/server/people/actor.ts';
import { askDate } from '#src/server/operations/starting.ts';
import { isLive, RUN_LEASE_MS } from './batchRun.ts';
import { DONE, hasNothingLeft } from './endBatch.ts';

/** Minimum pause between two lines. */
const PAUSE_MS = 500;
const REFUSALS_IN_A_ROW = 3;
/** The lease is renewed at least this often while a line waits for its answer. */
const RENEW_MS = RUN_LEASE_MS / 3;
const INSUFFICIENT_FUNDS = 'insufficient_funds';
/** Attempts to reach the service before the run pauses. */
const TRIES = 3;
const TRY_AGAIN_MS = 5_000;
/** Maximum age of the service's list that waiting lines are compared with. */
const LIST_MS = 10 * 60_000;

/** Why a run ends before its last line. `line`: the line that caused it. */
interface Ending {
  why: BatchReason;
  line: number | null;
}

/** A BatchReason ends the run, except for `skipped` and `paid-meanwhile`. `over`: accepted, or ended as not sent. */
type LineResult = 'over' | 'refused' | BatchReason;

interface Run {
  actor: Sender;
  batch: Batch;
  id: string;
}

/** Sends the lines of batches, one after the other. A run lasts no longer than this process and the person's session. */
export function createRuns(ports: Ports, journal: Journal, attempts: AttemptRunner) {
  const { rows, service } = ports;
  const running = new Map<string, Promise<void>>();
  let isStopping = false;

  async function perform(run: Run): Promise<void> {
    const stopRenewing = keepLease(run);
    const ending = await sendAll(run).catch((error: unknown) => endingFor(error));
    stopRenewing();
    // If the database is away, the lease expires, which also pauses the batch.
    await finish(run, ending).catch(() => undefined);
  }

  /** Sends the waiting lines in order. Null if it reached the end without skipping a line. */
  async function sendAll(run: Run): Promise<Ending | null> {
    const list = createList(run);
    let after = 0;
    let refusals = 0;
    let skipped: Ending | null = null;
    for (;;) {
      const row = await rows.batches.nextLine(run.batch.id, after);
      if (row === null) return skipped;
      const { record } = row;
      if (record?.batch === undefined) return { why: 'unreadable', line: null };
      const { line } = record.batch;
      const paidMeanwhile = await list.hasPaid(record);
      const result = paidMeanwhile === 'unreadable' ? 'service-away' : paidMeanwhile ? 'paid-meanwhile' : null;
      const ended = result ?? (await sendLine(run, record));
      if (ended === 'skipped' || ended === 'paid-meanwhile') skipped ??= { why: ended, line };
      else if (ended === 'refused') refusals += 1;
      else if (ended === 'over') refusals = 0;
      else return { why: ended, line };
      if (refusals >= REFUSALS_IN_A_ROW) return { why: 'refusals', line };
      after = line;
      await pause(run.actor.clock, PAUSE_MS);
    }
  }

  async function sendLine(run: Run, { key }: OperationRecord): Promise<LineResult> {
    for (let tried = 1; ; tried += 1) {
      if (isStopping || attempts.isStopping()) return 'server-stopped';
      const began = await begin(run, key);
      if (began === 'key-refused') return began;
      if (began !== 'no-date') {
        if (began.blockedBy === 'run') return whyOver(run);
        if (began.blockedBy === 'held') return 'skipped';
        if (began.blockedBy === 'look-alike') return 'paid-meanwhile';
        if (began.blockedBy === 'set-back') return 'set-back';
        if (began.blockedBy === 'unapproved') return 'unapproved';
        if (began.blockedBy === 'unsigned') return 'unsigned';
        await attempts.idle(key);
        const found = await journal.find(run.actor, key);
        const ended = found.kind === 'record' ? endOf(found.record) : 'unreadable';
        if (ended !== null) return ended;
        // It still waits: no connection was made, or a rule refuses it.
        if (began.record === null) return attempts.isStopping() ? 'server-stopped' : 'line-refused';
      }
      if (tried >= TRIES) return 'service-away';
      await pause(run.actor.clock, TRY_AGAIN_MS);
    }
  }

  /** Begins no attempt without the service's time. */
  async function begin({ actor, id }: Run, key: string): Promise<Advanced | 'no-date' | 'key-refused'> {
    const read = await askDate(service, actor);
    if ('reason' in read) return read.isKeyRefused ? 'key-refused' : 'no-date';
    const event = { type: 'send' as const, attemptId: ports.newAttemptId(), date: read.date, ...authorOf(actor) };
    return attempts.begin(actor, key, event, { run: id });
  }

  async function whyOver({ actor, batch, id }: Run): Promise<BatchReason> {
    const now = await rows.batches.batch(batch.id);
    const { database } = instantOf(actor, await rows.facts());
    return now?.run?.id === id && database >= now.run.until ? 'time-over' : 'server-stopped';
  }

  /** The service's list, refreshed every LIST_MS: recipients may be paid from elsewhere while the lines wait. */
  function createList({ actor }: Run) {
    let read: { at: ReturnType<typeof momentOf>; list: ReadWithdrawals } | null = null;

    async function refresh(record: OperationRecord): Promise<boolean> {
      const list = await readWithdrawalsSince(service, actor, comparedSince(record));
      if (list.status === 'unreadable') return false;
      read = { at: momentOf(actor.clock), list };
      return true;
    }

    return {
      /** True if the list has a withdrawal to the destination that neither the journal nor the line's maker knows. */
      hasPaid: async (record: OperationRecord): Promise<boolean | 'unreadable'> => {
        const isOld = () => read === null || passedSince(actor.clock, read.at) >= LIST_MS;
        for (let tried = 1; isOld() && !(await refresh(record)); tried += 1) {
          if (tried >= TRIES || isStopping) return 'unreadable';
          await pause(actor.clock, TRY_AGAIN_MS);
        }
        return read !== null && (await paidOutside(rows, record, read.list)).length > 0;
      },
    };
  }

  function keepLease({ actor, batch: { id }, id: runId }: Run): () => void {
    let cancel = (): void => undefined;
    const renew = (): void => {
      rows
        .write(async (transaction) => {
          const batch = await transaction.batches.batch(id);
          const { database: now } = instantOf(actor, await transaction.facts());
          if (batch !== null && isLive(batch, runId, now))
            await transaction.batches.renewRun(id, runId, now + RUN_LEASE_MS);
        })
        .catch(() => undefined);
      cancel = actor.clock.later(renew, RENEW_MS);
    };
    cancel = actor.clock.later(renew, RENEW_MS);
    return () => cancel();
  }

  /** Changes nothing if the run has been stopped or replaced meanwhile. */
  async function finish({ actor, batch: { id }, id: runId }: Run, ending: Ending | null): Promise<void> {
    await rows.write(async (transaction) => {
      const batch = await transaction.batches.batch(id);
      if (batch?.run?.id !== runId) return;
      const { database: now } = instantOf(actor, await transaction.facts());
      const paused = { ...batch, state: 'paused' as const, run: null };
      const isDone =
        (ending === null && (await transaction.batches.nextLine(id, 0)) === null) ||
        hasNothingLeft(paused, await transaction.batches.lineCounts([id], now), now);
      const { why, line } = ending ?? { why: 'skipped' as const, line: null };
      await transaction.batches.replaceBatch(batch, isDone ? DONE : { state: 'paused', why, whyLine: line, run: null });
    });
  }

  return {
    /** Runs in the background. */
    start: (actor: Sender, batch: Batch, id: string): void => {
      running.set(
        id,
        perform({ actor, batch, id }).finally(() => running.delete(id)),
      );
    },
    /** Begins no more lines; resolves when all runs are written as paused. */
    stop: async (): Promise<void> => {
      isStopping = true;
      await Promise.all(running.values());
    },
  };
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.later(resolve, ms));
}

/** Null while the line still waits. */
function endOf({ state, reason, attempts }: OperationRecord): LineResult | null {
  switch (state) {
    case 'succeeded':
    case 'not-sent':
      return 'over';
    case 'refused':
      return attempts.at(-1)?.errorCode === INSUFFICIENT_FUNDS ? 'insufficient-funds' : 'refused';
    case 'awaiting':
      return null;
    case 'unconfirmed':
      if (reason === 'mismatch') return 'mismatch';
      return reason === 'signed-out' ? 'key-refused' : 'unconfirmed';
    case 'ready':
    case 'sending':
    case 'closed':
      return 'unconfirmed';
  }
}

function endingFor(error: unknown): Ending {
  if (error instanceof SessionEnded || error instanceof NotPermitted) return { why: 'session-ended', line: null };
  if (error instanceof JournalAway || error instanceof JournalUnsure) return { why: 'journal-away', line: null };
  console.error('batches:', error);
  return { why: 'server-stopped', line: null };
}
