const A_MINUTE_MS = 60_000;
const WRITES_A_MINUTE = 60;

/** Whether an account may change something now: at most 60 times a minute. `now`: milliseconds that only go on. */
export function createQuota(): (account: string, now: number) => boolean {
  const recent = new Map<string, number[]>();
  return (account, now) => {
    const within = (recent.get(account) ?? []).filter((at) => now - at < A_MINUTE_MS && at <= now);
    const isAllowed = within.length < WRITES_A_MINUTE;
    recent.set(account, isAllowed ? [...within, now] : within);
    return isAllowed;
  };
}
