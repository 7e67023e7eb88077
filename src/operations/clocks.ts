import { type Clocks, SEND_WINDOW_SECONDS } from '#src/lib/operations/record.ts';

/** A clock set back by less than this between two servers is no sign of a wrong one; seconds. */
const SLACK_SECONDS = 60;
/** An automatic retry follows its first attempt by two minutes at the most, wherever in the window that was; seconds. */
const RETRY_GRACE_SECONDS = 180;

/** Seconds that passed between two moments, by each clock. */
export function elapsedBy(since: Clocks, now: Clocks): [service: number, server: number, database: number] {
  return [now.service - since.service, (now.server - since.server) / 1_000, (now.database - since.database) / 1_000];
}

/** Whether the key may still be sent: one wrong clock can only make it stricter. */
export function isInWindow(firstSent: Clocks, now: Clocks, automatic = false): boolean {
  const window = SEND_WINDOW_SECONDS + (automatic ? RETRY_GRACE_SECONDS : 0);
  return elapsedBy(firstSent, now).every((seconds) => seconds >= -SLACK_SECONDS && seconds < window);
}

/** Whether so many seconds have passed by every clock. */
export function hasPassed(since: Clocks, now: Clocks, seconds: number): boolean {
  return elapsedBy(since, now).every((passed) => passed >= seconds);
}

/** Now by all three clocks, where the service's was not heard: carried on from then by this server's. */
export function carriedOn(since: Clocks, now: { server: number; database: number }): Clocks {
  const passed = Math.max(0, Math.floor((now.server - since.server) / 1_000));
  return { service: since.service + passed, ...now };
}
