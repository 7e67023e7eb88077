import { isSettledStatus } from '#src/shared/paymentStatus.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { pageNumberOf, type RowIndex, rowAt, positionOf } from './rows/rowIndex.ts';
import { type InfiniteData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { Page } from '#src/web/api/paging/paging.ts';

const UNSETTLED_SECONDS = 3 * 24 * 60 * 60;
/** Time between two reads of a page, at first and at most. */
const PAUSE_MS = 30_000;
const PAUSE_MAX_MS = 300_000;
/** Time between two checks whether a page is due. */
const CHECK_MS = 5_000;

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
 * Whether a row may still change: it is younger than three days and not settled. The set of statuses is open, so only the
 * status that the contract shows as settled counts as settled. `now`: by the service's clock.
 */
function isUnsettled({ status, created_at }: Settling, now: number): boolean {
  return !isSettledStatus(status) && isPlausibleTime(created_at) && now - created_at < UNSETTLED_SECONDS;
}

/** The numbers of the pages that have unsettled rows in sight. `isWatched`: the row is polled already. */
export function unsettledPages<T extends Settling>(
  index: RowIndex<T>,
  sight: Sight,
  now: number,
  isWatched: (id: string) => boolean,
): Set<number> {
  const pages = new Set<number>();
  for (let at = Math.max(0, sight.from); at <= Math.min(sight.to, index.count - 1); at += 1) {
    const row = rowAt(index, at);
    if (row && isUnsettled(row, now) && !isWatched(row.id)) pages.add(pageNumberOf(index, at));
  }
  return pages;
}

/** Milliseconds until a page is read again after so many reads that changed nothing: 30 s, growing to 5 minutes. */
export function pauseAfterQuiet(reads: number): number {
  return Math.min(PAUSE_MS * 1.5 ** reads, PAUSE_MAX_MS);
}

interface UnsettledOptions<T> {
  listKey: QueryKey;
  list: InfiniteData<Page<T>> | undefined;
  /** The rows on screen. */
  index: RowIndex<T>;
  loaded: RowIndex<T>;
  /** The first page as last read: its rows are polled already. */
  watched: Page<T> | undefined;
  readPage: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;
  renew: (page: Page<T>, start: number) => number;
  enabled: boolean;
}

/** A page to read again: its cursor, the number of its first row, and when it is due, Unix milliseconds. */
interface Next {
  cursor: string;
  start: number;
  due: number;
}

/** When a page was last read again, Unix milliseconds, and how many reads in a row had found no change. */
interface LastRead {
  at: number;
  quiet: number;
}

/**
 * Reads the pages of recent rows in sight again, one at a time: 30 s after a change, then less and less often. A failed
 * read is not reported, because the first page is read more often and reports its own failures. Returns a function by
 * which the table reports which rows are in sight.
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
  const reads = useRef({ list: null as object | null, byCursor: new Map<string, LastRead>() });

  const readsOf = (list: object): Map<string, LastRead> => {
    if (reads.current.list !== list) reads.current = { list, byCursor: new Map() };
    return reads.current.byCursor;
  };

  const next = (): Next | null => {
    if (!list || !watched || sight.current === null) return null;
    const now = Date.now();
    const ids = new Set(watched.data.map(({ id }) => id));
    // The service's clock now.
    const serviceNow = (watched.date ?? watched.readAt) + now / 1000 - watched.readAt;
    let soonest: Next | null = null;
    for (const at of unsettledPages(index, sight.current, serviceNow, (id) => ids.has(id))) {
      // Rows that new ones pushed off the first page are on the page after it.
      const cursor = at === 0 ? watched.next_cursor : list.pageParams[at];
      if (typeof cursor !== 'string') continue;
      const last = readsOf(loaded.positions).get(cursor) ?? { at: (list.pages[at]?.readAt ?? 0) * 1000, quiet: 0 };
      const due = last.at + pauseAfterQuiet(last.quiet);
      const start = at === 0 ? watched.data.findLast(({ id }) => positionOf(loaded, id) !== -1) : undefined;
      const from = start ? positionOf(loaded, start.id) + 1 : (loaded.starts[at] ?? 0);
      if (soonest === null || due < soonest.due) soonest = { cursor, start: from, due };
    }
    return soonest;
  };

  const readNext = async (signal: AbortSignal): Promise<void> => {
    const page = next();
    if (page === null || page.due > Date.now()) return;
    const { cursor, start } = page;
    const byCursor = readsOf(loaded.positions);
    const quiet = (byCursor.get(cursor)?.quiet ?? 0) + 1;
    // Record the attempt first: a failed read also counts.
    byCursor.set(cursor, { at: Date.now(), quiet });
    const changed = renew(await readPage(cursor, signal), start);
    byCursor.set(cursor, { at: Date.now(), quiet: changed > 0 ? 0 : quiet });
  };
  // A query without data, which checks each time whether a page is due.
  useQuery({
    queryKey: [...listKey, 'young'],
    queryFn: async ({ signal }) => {
      await readNext(signal);
      return null;
    },
    enabled,
    initialData: null,
    refetchOnMount: false,
    refetchOnWindowFocus: 'always',
    refetchInterval: CHECK_MS,
    notifyOnChangeProps: [],
    gcTime: 0,
  });
  return useCallback((inSight: Sight | null) => {
    sight.current = inSight;
  }, []);
}
