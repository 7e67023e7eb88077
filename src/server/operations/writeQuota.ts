const MINUTE_MS = 60_000;
export const WRITES_A_MINUTE = 60;

/** Counts a write of the account, and returns false if it had too many in the last minute. `now`: monotonic ms. */
export type WriteQuota = (account: string, now: number) => boolean;

export function createWriteQuota(most = WRITES_A_MINUTE): WriteQuota {
  const recent = new Map<string, number[]>();
  return (account, now) => {
    const within = (recent.get(account) ?? []).filter((at) => now - at < MINUTE_MS && at <= now);
    const isAllowed = within.length < most;
    recent.set(account, isAllowed ? [...within, now] : within);
    return isAllowed;
  };
}
