import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { Page } from '#src/api/paging.ts';
import { dueAfter, usePolling } from '#src/api/polling.ts';
import { positionOf, type RowIndex } from './rowIndex.ts';
import { pauseAfterQuiet, type Sight, youngPages } from './youngRows.ts';

interface YoungOptions<T> {
  listKey: QueryKey;
  list: InfiniteData<Page<T>> | undefined;
  index: RowIndex<T>;
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
export function useYoungRows<T extends { id: string; status?: unknown; created_at?: unknown }>({
  listKey,
  list,
  index,
  watched,
  readPage,
  renew,
  enabled,
}: YoungOptions<T>): (inSight: Sight | null) => void {
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
    for (const at of youngPages(index, sight.current, serviceNow, (id) => ids.has(id))) {
      // What new rows pushed off the first page comes after it.
      const cursor = at === 0 ? watched.next_cursor : list.pageParams[at];
      if (typeof cursor !== 'string') continue;
      const look = looksOf(index.positions).get(cursor) ?? { at: (list.pages[at]?.readAt ?? 0) * 1000, quiet: 0 };
      const due = dueAfter(look.at, pauseAfterQuiet(look.quiet));
      const start = at === 0 ? watched.data.findLast(({ id }) => positionOf(index, id) !== -1) : undefined;
      const from = start ? positionOf(index, start.id) + 1 : (index.starts[at] ?? 0);
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
      const known = looksOf(index.positions);
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
