import { NOBODY } from '#src/shared/author.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { step } from '#src/server/operations/engine.ts';
import type { Instant } from '#src/server/operations/events.ts';
import type { Batch, LineCount, WriteTransaction } from '#src/server/operations/ports.ts';
import type { OperationState } from '#src/shared/operations/states.ts';
import { isLeaseAlive, wasSentByRun } from './batchRun.ts';

export const WITHDRAWN = 'The batch was withdrawn.';
const BATCH_OVER = 'Its batch had ended.';

/** Nothing of the batch is left to send. */
export const DONE = { state: 'done', why: null, whyLine: null, run: null } as const;

interface BatchEnding {
  /** How the last lines ended; null for an ordinary end, as after an exclusion. */
  why: 'rejected' | 'lapsed' | 'maker-not-permitted' | null;
  at: Instant;
  /** Also ends a run that is still alive. Without this, a living run is left to mark its batch as done when it finishes. */
  endsRun?: boolean;
}

/** Marks a batch as done once none of its lines waits to be sent. Returns it as it is then; null if there is no such batch. */
export async function endBatch(
  transaction: WriteTransaction,
  id: string,
  { why, at, endsRun = false }: BatchEnding,
): Promise<Batch | null> {
  const { batches } = transaction;
  const batch = await batches.batch(id);
  if (batch === null || hasEnded(batch)) return batch;
  const isRunning = batch.state === 'running' && batch.run !== null && isLeaseAlive(batch.run, at.database);
  if ((isRunning && !endsRun) || (await batches.nextLine(id, 0)) !== null) return batch;
  if (isRunning) await endRetries(transaction, id, at);
  return batches.replaceBatch(batch, { ...DONE, why });
}

export function hasEnded({ state }: Pick<Batch, 'state'>): boolean {
  return state === 'done' || state === 'stopped';
}

/** States of a line that no run sends any more. */
const OVER: ReadonlySet<OperationState> = new Set(['succeeded', 'refused', 'not-sent', 'closed', 'unconfirmed']);

/**
 * Whether nothing of a batch is left to send and no run is left to say so: its last line was sent before it was paused, or by
 * a server that stopped. After a set-back it stays paused until its unconfirmed lines are resolved. `counts`: of this batch
 * and others. `now`: the database's clock, ms.
 */
export function hasNothingLeft(batch: Batch, counts: readonly LineCount[], now: number): boolean {
  if (hasEnded(batch) || (batch.state === 'running' && batch.run !== null && isLeaseAlive(batch.run, now)))
    return false;
  const isOver = ({ state, isAbandoned }: LineCount): boolean => {
    const standing = isAbandoned ? 'unconfirmed' : state;
    return OVER.has(standing) && !(standing === 'unconfirmed' && batch.why === 'set-back');
  };
  const over = counts.filter((lines) => lines.batch === batch.id && isOver(lines));
  // Lines in a state of a newer version aren't counted.
  return over.reduce((sum, { count }) => sum + count, 0) === batch.lines;
}

/** Ends a batch if nothing of it is left to send. Returns it as it is then; null if there is no such batch. */
export async function endIfNothingLeft(
  { batches }: WriteTransaction,
  id: string,
  { database: now }: Instant,
): Promise<Batch | null> {
  const batch = await batches.batch(id);
  if (batch === null || !hasNothingLeft(batch, await batches.lineCounts([id], now), now)) return batch;
  return batches.replaceBatch(batch, DONE);
}

/** Ends the automatic retries of a run that a person ended. From then on only a person resends these lines. */
export async function endRetries(transaction: WriteTransaction, id: string, at: Instant): Promise<void> {
  const changes = (await transaction.batches.linesOf(id)).flatMap(({ record: before }) => {
    if (before?.retryAt === undefined || !wasSentByRun(before)) return [];
    const { record: next } = step(before, { type: 'give-up', retryAt: before.retryAt }, at);
    return next === null ? [] : { next, before };
  });
  await transaction.replaceAll(changes);
}

/**
 * A line whose attempt wasn't made waits again, and a batch that has ended meanwhile is never started again: then it ends as
 * not sent, which is proven.
 */
export async function endUnmadeLine(
  { batches }: WriteTransaction,
  line: OperationRecord,
  at: Instant,
): Promise<OperationRecord> {
  const batch = line.batch === undefined ? null : await batches.batch(line.batch.id);
  if (line.state !== 'awaiting' || batch === null || !hasEnded(batch)) return line;
  const words = batch.state === 'stopped' ? WITHDRAWN : BATCH_OVER;
  return step(line, { type: 'discard', ...NOBODY, words }, at).record ?? line;
}
