import { isPlausibleTime } from '#src/lib/time.ts';
import { pageOf, type RowIndex, rowAt } from './rowIndex.ts';

const YOUNG_SECONDS = 3 * 24 * 60 * 60;
/** Milliseconds between two reads of a page, at first and at most. */
const PAUSE = 30_000;
const PAUSE_MAX = 300_000;

/** Numbers of the first and the last row in sight. */
export interface Sight {
  from: number;
  to: number;
}

interface Settling {
  readonly id: string;
  readonly status?: unknown;
  readonly created_at?: unknown;
}

/**
 * Whether a row may still change: any status but the one that the contract shows as settled, for the set is open, and
 * younger than three days. `now`: the service's clock.
 */
function isYoung({ status, created_at }: Settling, now: number): boolean {
  return status !== 'completed' && isPlausibleTime(created_at) && now - created_at < YOUNG_SECONDS;
}

/** The numbers of the pages that have young rows in sight. `isWatched`: read again anyway. */
export function youngPages<T extends Settling>(
  index: RowIndex<T>,
  sight: Sight,
  now: number,
  isWatched: (id: string) => boolean,
): Set<number> {
  const pages = new Set<number>();
  for (let at = Math.max(0, sight.from); at <= Math.min(sight.to, index.count - 1); at += 1) {
    const row = rowAt(index, at);
    if (row && isYoung(row, now) && !isWatched(row.id)) pages.add(pageOf(index, at));
  }
  return pages;
}

/** Milliseconds until a page is read again after so many reads that changed nothing: 30 s, growing to 5 minutes. */
export function pauseAfterQuiet(reads: number): number {
  return Math.min(PAUSE * 1.5 ** reads, PAUSE_MAX);
}
