import type { OperationRecord } from '#src/shared/operations/record.ts';
import { attemptsSincePress } from '#src/server/operations/classify.ts';
import type { Batch, BatchRun } from '#src/server/operations/ports.ts';

/** A lease is renewed with each line, and by a timer three times in this time. */
export const RUN_LEASE_MS = 60_000;

/** Whether the batch is running and this is its run. `now`: the database's clock, ms. */
export function isLive({ state, run }: Batch, id: string | undefined, now: number): boolean {
  return state === 'running' && run !== null && run.id === id && isLeaseAlive(run, now);
}

/** A lease too far in the future means that the clock was set back: it counts as expired. */
export function isLeaseAlive({ leaseUntil, until }: BatchRun, now: number): boolean {
  return now < leaseUntil && leaseUntil - now <= RUN_LEASE_MS && now < until;
}

/** Whether its batch's run sent it last, not a person who pressed Resend. Only a run sends lines that are still waiting. */
export function wasSentByRun(record: OperationRecord): boolean {
  return record.batch !== undefined && attemptsSincePress(record)[0]?.from.state === 'awaiting';
}
