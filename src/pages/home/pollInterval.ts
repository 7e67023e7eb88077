/** Milliseconds from one background read to the next. */
const PAUSE = 60_000;
const PER_FURTHER_PAGE = 30_000;
const AFTER_ERROR = 4;

/** When to read again in the background: the more requests a read takes, the later. */
export function pollInterval(requests: number, failed: boolean): number {
  return (PAUSE + Math.max(0, requests - 1) * PER_FURTHER_PAGE) * (failed ? AFTER_ERROR : 1);
}
