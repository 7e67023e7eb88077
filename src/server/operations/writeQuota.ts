const MINUTE_MS = 60_000;
export const WRITES_A_MINUTE = 60;

/** Retry-After of a write that may succeed soon. */
export const RETRY_SECONDS = 5;

/** Counts a write of this person or account, and returns false if it had too many in the last minute. `now`: monotonic ms. */
export type WriteQuota = (writer: string, now: number) => boolean;

export function createWriteQuota(most = WRITES_A_MINUTE): WriteQuota {
  const recent = new Map<string, number[]>();
  return (writer, now) => {
    const within = (recent.get(writer) ?? []).filter((at) => now - at < MINUTE_MS && at <= now);
    const isAllowed = within.length < most;
    recent.set(writer, isAllowed ? [...within, now] : within);
    return isAllowed;
  };
}
