import { type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Page } from '#src/api/paging.ts';
import { noteReading } from './loadedRows.ts';
import { pageNews } from './pageNews.ts';
import { type RowIndex, withNewer } from './rowIndex.ts';

/** How many rows were renewed at once. */
export interface Changed {
  rows: number;
}

interface RenewOptions<T> {
  listKey: QueryKey;
  index: RowIndex<T>;
  byStatus: boolean;
}

interface Renewing<T> {
  /** Takes what a page that was read again says of the rows from number `start` on; the number of rows that changed. */
  renew: (page: Page<T>, start: number) => number;
  /** Rows that the status filter no longer brings. */
  left: number;
  changed: Changed | null;
}

/** Renews the rows of a list where they stand. */
export function useRenewRows<T extends { id: string }>({ listKey, index, byStatus }: RenewOptions<T>): Renewing<T> {
  const queryClient = useQueryClient();
  const [changed, setChanged] = useState<Changed | null>(null);
  // Of one list: begun anew, or with other filters, it is another.
  const [gone, setGone] = useState<{ of: object; ids: ReadonlySet<string> } | null>(null);
  const list = index.positions;
  const shown = useRef(list);
  useEffect(() => {
    shown.current = list;
  });
  const renew = (page: Page<T>, start: number): number => {
    const news = pageNews(index, page, start);
    if (byStatus) {
      setGone((before) => {
        const ids = new Set(before?.of === list ? before.ids : []);
        for (const { id } of page.data) ids.delete(id);
        for (const id of news.left) ids.add(id);
        return { of: list, ids };
      });
    }
    if (news.changed.size === 0) return 0;
    for (const row of news.changed.values()) noteReading(row, page);
    queryClient.setQueryData<InfiniteData<Page<T>, string | null>>(
      listKey,
      (now) => now && { ...now, pages: now.pages.map((each) => withNewer(each, news.changed)) },
    );
    // A late answer of another list is no news of this one.
    if (shown.current === list) setChanged({ rows: news.changed.size });
    // A detail that is open says the same as its row.
    for (const id of news.changed.keys()) {
      void queryClient.invalidateQueries({ queryKey: [...listKey.slice(0, 2), 'detail', id], exact: true });
    }
    return news.changed.size;
  };
  return { renew, left: gone?.of === list ? gone.ids.size : 0, changed };
}
