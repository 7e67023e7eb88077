import { STATES } from '#src/shared/operations/states.ts';
import {
  BATCH_STARTABLE_SECONDS,
  CLOCK_SLACK_SECONDS,
  type Clocks,
  SEND_WINDOW_SECONDS,
  type Operation,
  type OperationRecord,
  recordedAt,
} from '#src/shared/operations/record.ts';
import { attemptsSincePress } from './classify.ts';
import type { Instant } from './events.ts';

/** A retry of an attempt at the very end of the window may still be sent: it starts at most two minutes later. */
const RETRY_GRACE_SECONDS = 180;

/** Seconds between two moments, by each clock. */
export function elapsedBy(since: Clocks, now: Clocks): [service: number, server: number, database: number] {
  return [now.service - since.service, (now.server - since.server) / 1_000, (now.database - since.database) / 1_000];
}

/** Whether the key may still be sent. One wrong clock can only make this stricter. */
export function isInWindow(firstSent: Clocks, now: Clocks, automatic = false): boolean {
  const window = SEND_WINDOW_SECONDS + (automatic ? RETRY_GRACE_SECONDS : 0);
  return elapsedBy(firstSent, now).every((seconds) => seconds >= -CLOCK_SLACK_SECONDS && seconds < window);
}

/** Whether an operation that waited may be sent for the first time. One wrong clock can only make this stricter. */
export function isStartable(operation: Pick<Operation, 'recorded' | 'approval'>, now: Clocks): boolean {
  const { recorded } = operation;
  if (recorded === undefined) return false;
  return elapsedBy(recorded, now).every(
    (seconds) => seconds >= -CLOCK_SLACK_SECONDS && seconds < startableSeconds(operation),
  );
}

/** How long an operation may wait for its first send. */
export function startableSeconds({ approval }: Pick<Operation, 'approval'>): number {
  return approval === undefined ? BATCH_STARTABLE_SECONDS : approval.hours * 3_600;
}

/** Latest time of the first send, by the database's clock in ms. */
export function startableUntil(operation: Operation): number {
  return recordedAt(operation).database + startableSeconds(operation) * 1_000;
}

/** Whether a payment or a line of a batch waited too long for its approvals, by every clock. */
export function isApprovalOverdue(operation: Operation, at: Instant): boolean {
  const { state, approval, recorded } = operation;
  if (state !== 'awaiting' || approval === undefined || recorded === undefined) return false;
  return hasPassed(recorded, extrapolateClocks(operation.lastSent, at), startableSeconds(operation));
}

export function hasPassed(since: Clocks, now: Clocks, seconds: number): boolean {
  return elapsedBy(since, now).every((passed) => passed >= seconds);
}

/** Now by all three clocks if the service's wasn't read: the server's elapsed time since `since` is added to it. */
export function extrapolateClocks(since: Clocks, now: Instant): Clocks {
  const passed = Math.max(0, Math.floor((now.server - since.server) / 1_000));
  return { service: since.service + passed, ...now };
}

/** Resend is disabled for this long after an attempt without a response, so that the first one can finish. */
export const RESEND_PAUSE_MS = 15_000;
/** The longest Retry-After that an automatic retry waits for. */
export const LONGEST_WAIT_MS = 60_000;
/** An attempt takes at most 30 s, body included; after this its server is gone. In ms. */
export const ATTEMPT_LEASE_MS = 40_000;

/** Until when Resend is disabled, by the server's clock in ms; null if it is enabled. A clock set back can't extend it. */
export function cooldownUntil(record: Operation, now: number): number | null {
  if (record.state !== 'unconfirmed') return null;
  const until = Math.max(ahead(record.retryAt, now, LONGEST_WAIT_MS), ahead(record.asleepUntil, now, RESEND_PAUSE_MS));
  return until > 0 ? now + until : null;
}

/** True while an automatic retry is due; afterwards only a person can resend. */
export function isWaiting(record: Operation, now: number): boolean {
  return record.state === 'unconfirmed' && ahead(record.retryAt, now, LONGEST_WAIT_MS) > 0;
}

/** An automatic retry that no server can make any more: each wakes in time or gives up. `now`: the server's clock, ms. */
export function isRetryOverdue({ state, retryAt }: Operation, now: number): boolean {
  if (state !== 'unconfirmed' || retryAt === undefined) return false;
  return now - retryAt > LATEST_WAKE_MS || retryAt - now > LONGEST_WAIT_MS;
}

/** True while a server is sending it or about to. `databaseNow` in ms; a lease too far in the future counts as expired. */
export function isLeased(record: Operation, databaseNow: number): boolean {
  return STATES[record.state].isLeasable && ahead(record.leaseUntil, databaseNow, ATTEMPT_LEASE_MS) > 0;
}

function ahead(until: number | undefined, now: number, longest: number): number {
  const left = until === undefined ? 0 : until - now;
  return left > 0 && left <= longest ? left : 0;
}

const MOST_RETRIES = 3;
/** Maximum time in ms from the first attempt of a run to an automatic one. */
const RETRY_SERIES_MS = 120_000;
/** A timer that fires later than this, in ms, or early because a clock was set, sends nothing. */
export const LATEST_WAKE_MS = 10_000;
const FIRST_WAIT_MS = 1_000;

/** When the next automatic attempt is due (this server's clock, ms); null for none. `jitter` is 0 to 1. */
export function nextRetry(
  record: OperationRecord,
  { at, waitSeconds, jitter }: { at: number; waitSeconds: number | null; jitter: number },
): number | null {
  const run = attemptsSincePress(record);
  const first = run[0];
  if (!first || run.length > MOST_RETRIES) return null;
  const requestedMs = waitSeconds === null ? null : Math.max(waitSeconds * 1_000, 250);
  if (requestedMs !== null && requestedMs > LONGEST_WAIT_MS) return null;
  const backoff = FIRST_WAIT_MS * 2 ** (run.length - 1) * (1 + jitter / 4);
  const due = Math.round(at + (requestedMs ?? backoff));
  return isWithinRun(first.start, due) ? due : null;
}

export function mayRetry(record: OperationRecord, { at, retryAt }: { at: Instant; retryAt: number }): boolean {
  if (record.state !== 'unconfirmed' || record.reason !== 'no-answer' || record.retryAt !== retryAt) return false;
  const run = attemptsSincePress(record);
  const first = run[0];
  if (!first || run.length > MOST_RETRIES) return false;
  // A machine that was suspended or set back would think it is on time, so the database's clock must agree.
  const sinceSent = Math.abs(at.database - record.lastSent.database);
  const isOnTime = Math.abs(at.server - retryAt) <= LATEST_WAKE_MS && sinceSent <= RETRY_SERIES_MS;
  return isOnTime && isWithinRun(first.start, at.server);
}

function isWithinRun(first: number, start: number): boolean {
  return start >= first && start - first <= RETRY_SERIES_MS;
}
