import type { Operation } from '#src/lib/operations/record.ts';

/** After a lost attempt Resend wakes so much later, so that the first one can finish; milliseconds. */
export const REST_MS = 15_000;
/** The longest wait that a service may ask of an automatic retry. */
export const LONGEST_WAIT_MS = 60_000;
/** An attempt has 30 s, body included; whoever makes it is gone past this. Milliseconds. */
export const LEASE_MS = 40_000;

/** When Resend wakes, in milliseconds of the server; null: it is awake. A clock set back cannot put it to sleep for longer. */
export function sleepsUntil(record: Operation, now: number): number | null {
  if (record.state !== 'unconfirmed') return null;
  const until = Math.max(ahead(record.retryAt, now, LONGEST_WAIT_MS), ahead(record.asleepUntil, now, REST_MS));
  return until > 0 ? now + until : null;
}

/** An automatic retry is still due, held by some server that lives; after its time it is the person's. */
export function isWaiting(record: Operation, now: number): boolean {
  return record.state === 'unconfirmed' && ahead(record.retryAt, now, LONGEST_WAIT_MS) > 0;
}

/** Some server is sending it, or about to. `databaseNow` in milliseconds; a lease from the future is over. */
export function isLeased(record: Operation, databaseNow: number): boolean {
  const isHeld = record.state === 'sending' || record.state === 'ready';
  return isHeld && ahead(record.leaseUntil, databaseNow, LEASE_MS) > 0;
}

function ahead(until: number | undefined, now: number, longest: number): number {
  const left = until === undefined ? 0 : until - now;
  return left > 0 && left <= longest ? left : 0;
}
