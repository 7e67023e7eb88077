import type { EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { ageInWords, sortableTime } from '#src/shared/time.ts';

interface EarlierGroups {
  /** The earlier send that a second payment most likely repeats; null if none is listed. */
  lead: EarlierSend | null;
  /** Other sends that didn't fail, newest first. */
  others: readonly EarlierSend[];
  failed: readonly EarlierSend[];
  /** Sends that are only counted or only possible, without details. */
  unlisted: readonly EarlierSend[];
}

/** `repeats`: the sends that may be the same payment. A failed one leads only if nothing else is listed. */
export function groupEarlier(sends: readonly EarlierSend[], repeats: readonly EarlierSend[]): EarlierGroups {
  const isListed = ({ source }: EarlierSend) => source === 'journal' || source === 'service';
  const listed = sends.filter(isListed).toSorted((a, b) => timeOf(b) - timeOf(a));
  const good = listed.filter((send) => !hasFailed(send));
  const failed = listed.filter(hasFailed);
  const lead = good.find((send) => repeats.includes(send)) ?? good[0] ?? failed[0] ?? null;
  const rest = (sends: readonly EarlierSend[]) => sends.filter((send) => send !== lead);
  return { lead, others: rest(good), failed: rest(failed), unlisted: sends.filter((send) => !isListed(send)) };
}

export function hasFailed({ status }: EarlierSend): boolean {
  return toneOf(status) === 'alarm';
}

function timeOf({ createdAt }: EarlierSend): number {
  return sortableTime(createdAt);
}

/**
 * "4 seconds ago", as of the review, because a running count of seconds would be announced every second. From a minute on,
 * as of now. All in Unix seconds.
 */
export function sentAgo(unix: number, reviewedAt: number, now: number): string {
  if (now - unix >= 60) return ageInWords(unix, now);
  const seconds = Math.floor(reviewedAt - unix);
  return seconds < 2 ? 'just now' : `${seconds} seconds ago`;
}
