import { isSettledStatus } from '#src/shared/paymentStatus.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { pageOf, type RowIndex, rowAt, positionOf } from './rows/rowIndex.ts';
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { Page } from '#src/web/api/paging/paging.ts';
import { dueAfter, usePolling } from '#src/web/api/paging/polling.ts';

const UNSETTLED_SECONDS = 3 * 24 * 60 * 60;
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
function isUnsettled({ status, created_at }: Settling, now: number): boolean {
  return !isSettledStatus(status) && isPlausibleTime(created_at) && now - created_at < UNSETTLED_SECONDS;
}

/** The numbers of the pages that have young rows in sight. `isWatched`: read again anyway. */
export function unsettledPages<T extends Settling>(
  index: RowIndex<T>,
  sight: Sight,
  now: number,
  isWatched: (id: string) => boolean,
): Set<number> {
  const pages = new Set<number>();
  for (let at = Math.max(0, sight.from); at <= Math.min(sight.to, index.rows.length - 1); at += 1) {
    const row = rowAt(index, at);
    if (row && isUnsettled(row, now) && !isWatched(row.id)) pages.add(pageOf(index, at));
  }
  return pages;
}

/** Milliseconds until a page is read again after so many reads that changed nothing: 30 s, growing to 5 minutes. */
export function pauseAfterQuiet(reads: number): number {
  return Math.min(PAUSE * 1.5 ** reads, PAUSE_MAX);
}

interface UnsettledOptions<T> {
  listKey: QueryKey;
  list: InfiniteData<Page<T>> | undefined;
  /** The rows on screen. */
  index: RowIndex<T>;
  loaded: RowIndex<T>;
  /** The first page as last read again: its rows need no other look. */
  watched: Page<T> | undefined;
  readPage: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;
  renew: (page: Page<T>, start: number) => number;
  enabled: boolean;
}

/** A page to read again: what brings it, the number of its first row, and when it is due, Unix milliseconds. */
interface Next {
  cursor: string;
  start: number;
  due: number;
}

/** When a page was last read again, Unix milliseconds, and how often in a row that changed nothing. */
interface Look {
  at: number;
  quiet: number;
}

/**
 * Reads the pages of young rows in sight again, one at a time: 30 s after a change, then ever more seldom. A look that
 * fails is not told: the first page is read more often, and tells. Returns how the table says what is in sight.
 */
export function useUnsettledRows<T extends { id: string; status?: unknown; created_at?: unknown }>({
  listKey,
  list,
  index,
  loaded,
  watched,
  readPage,
  renew,
  enabled,
}: UnsettledOptions<T>): (inSight: Sight | null) => void {
  const sight = useRef<Sight | null>(null);
  const looks = useRef(new WeakMap<object, Map<string, Look>>());

  const looksOf = (of: object): Map<string, Look> => {
    const known = looks.current.get(of) ?? new Map<string, Look>();
    looks.current.set(of, known);
    return known;
  };

  const next = (): Next | null => {
    if (!list || !watched || sight.current === null) return null;
    const now = Date.now();
    const ids = new Set(watched.data.map(({ id }) => id));
    // The service's clock, as far as it went on since.
    const serviceNow = (watched.date ?? watched.readAt) + now / 1000 - watched.readAt;
    let soonest: Next | null = null;
    for (const at of unsettledPages(index, sight.current, serviceNow, (id) => ids.has(id))) {
      // What new rows pushed off the first page comes after it.
      const cursor = at === 0 ? watched.next_cursor : list.pageParams[at];
      if (typeof cursor !== 'string') continue;
      const look = looksOf(loaded.positions).get(cursor) ?? { at: (list.pages[at]?.readAt ?? 0) * 1000, quiet: 0 };
      const due = dueAfter(look.at, pauseAfterQuiet(look.quiet));
      const start = at === 0 ? watched.data.findLast(({ id }) => positionOf(loaded, id) !== -1) : undefined;
      const from = start ? positionOf(loaded, start.id) + 1 : (loaded.starts[at] ?? 0);
      if (soonest === null || due < soonest.due) soonest = { cursor, start: from, due };
    }
    return soonest;
  };

  usePolling({
    key: [...listKey, 'young'],
    enabled,
    due: () => next()?.due ?? Infinity,
    read: async (signal) => {
      const page = next();
      if (page === null) return;
      const { cursor, start } = page;
      const known = looksOf(loaded.positions);
      const quiet = (known.get(cursor)?.quiet ?? 0) + 1;
      // Noted before: a read that fails is a look as well.
      known.set(cursor, { at: Date.now(), quiet });
      const changed = renew(await readPage(cursor, signal), start);
      known.set(cursor, { at: Date.now(), quiet: changed > 0 ? 0 : quiet });
    },
  });
  return useCallback((inSight: Sight | null) => {
    sight.current = inSight;
  }, []);
}
