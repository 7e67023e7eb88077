import type { OperationRecord } from '#src/lib/operations/record.ts';
import { runOf } from './classify.ts';
import { LONGEST_WAIT_MS } from './cooldown.ts';
import type { Instant } from './events.ts';

const MOST_RETRIES = 3;
/** No automatic attempt starts later than this after the first one of its run; milliseconds. */
const RUN_MS = 120_000;
/** A timer that wakes later than this (or earlier: the clock was set) sends nothing; milliseconds. */
export const LATEST_WAKE_MS = 10_000;
const FIRST_WAIT_MS = 1_000;

/** When the next automatic attempt is due (this server's clock, ms), null when there is to be none. `jitter` is 0 to 1. */
export function nextRetry(
  record: OperationRecord,
  { at, waitSeconds, jitter }: { at: number; waitSeconds: number | null; jitter: number },
): number | null {
  const run = runOf(record);
  const first = run[0];
  if (!first || run.length > MOST_RETRIES) return null;
  const asked = waitSeconds === null ? null : Math.max(waitSeconds * 1_000, 250);
  if (asked !== null && asked > LONGEST_WAIT_MS) return null;
  const backoff = FIRST_WAIT_MS * 2 ** (run.length - 1) * (1 + jitter / 4);
  const due = Math.round(at + (asked ?? backoff));
  return isWithinRun(first.start, due) ? due : null;
}

/** Whether the server that holds the timer may go back to sending now. */
export function mayRetry(record: OperationRecord, { at, retryAt }: { at: Instant; retryAt: number }): boolean {
  if (record.state !== 'unconfirmed' || record.reason !== 'no-answer' || record.retryAt !== retryAt) return false;
  const run = runOf(record);
  const first = run[0];
  if (!first || run.length > MOST_RETRIES) return false;
  // A machine that stood still, or was set back, finds itself on time: the database must say so too.
  const sinceSent = Math.abs(at.database - record.lastSent.database);
  const isOnTime = Math.abs(at.server - retryAt) <= LATEST_WAKE_MS && sinceSent <= RUN_MS;
  return isOnTime && isWithinRun(first.start, at.server);
}

function isWithinRun(first: number, start: number): boolean {
  return start >= first && start - first <= RUN_MS;
}
