const KEPT_MS = 10 * 60_000;
const MOST = 1_000;
const LONGEST_NAME = 64;

/**
 * POSTs that are under way or were forwarded, by X-Attempt. A browser sends a POST again on a socket that died under it:
 * a refusal of the second arrival alone must not read as "nothing was forwarded".
 */
export interface Repeats {
  /** Notes an arrival, before anything else is awaited; true when the same attempt arrived before. */
  arrived(attempt: string): boolean;
  /** Its first arrival was refused, so nothing of it was forwarded. */
  forget(attempt: string): void;
}

/** Kept in memory, for minutes; `now` is in milliseconds. */
export function createRepeats(now: () => number): Repeats {
  const seen = new Map<string, number>();

  return {
    arrived(attempt) {
      if (attempt === '' || attempt.length > LONGEST_NAME) return false;
      if (seen.has(attempt)) return true;
      for (const [oldest, at] of seen) {
        if (seen.size < MOST && now() - at < KEPT_MS) break;
        seen.delete(oldest);
      }
      seen.set(attempt, now());
      return false;
    },
    forget: (attempt) => void seen.delete(attempt),
  };
}
