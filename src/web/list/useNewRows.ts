import { type InfiniteData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useEffect, useRef, useState } from 'react';
import type { Page } from '#src/web/api/paging/paging.ts';
import { usePolledQuery } from '#src/web/api/paging/polling.ts';
import { countNew, type NewRows, diffPages } from './diffPages.ts';
import { renewRows, type RowIndex } from './rows/rowIndex.ts';
import { useUnsettledRows } from './useUnsettledRows.ts';
import { noteReading } from './rows/loadedRows.ts';

const POLL_MS = 18_000;
const AFTER_ERROR = 4;

interface FreshOptions<T> {
  /** Key of the list; the page read again has one of its own. */
  listKey: QueryKey;
  /** Undefined while the list itself is being read: then there is nothing to watch. */
  data: InfiniteData<Page<T>> | undefined;
  index: RowIndex<T>;
  /** Whether a row belongs to the list, where the service does not know all of its filters. */
  keeps: (row: T) => boolean;
  /** Reads a page of the list with the same filters and size. */
  readPage: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;
  /** The rows are filtered by a status: one that gets another leaves the list. */
  byStatus: boolean;
  /** Rows settle with time, so those in sight that have not are read again. */
  settles: boolean;
}

const NOTHING: NewRows = { added: 0, orMore: false };

/**
 * Watches a list while the window is visible: its first page is read again for news, which wait to be asked for, and the
 * pages of rows in sight that have not settled. A row that changed is renewed where it stands; none moves or goes.
 */
export function useNewRows<T extends { id: string }>(options: FreshOptions<T>) {
  const { listKey, data: list, index, keeps, readPage, byStatus, settles } = options;
  const queryClient = useQueryClient();
  const first = list?.pages[0];
  const freshKey = [...listKey, 'fresh'];
  const { renew, left, changed } = useRenewRows({ listKey, index, byStatus });
  const query = useQuery({
    queryKey: freshKey,
    queryFn: async ({ signal }) => {
      const page = await readPage(null, signal);
      renew(page, 0);
      return page;
    },
    enabled: first !== undefined,
    ...(first && { initialData: first, initialDataUpdatedAt: first.readAt * 1000 }),
    staleTime: POLL_MS,
    // Rows may be any JSON, and sharing them with the list would hide what changed.
    structuralSharing: false,
  });
  const { data, error, isFetching, refetch } = query;
  usePolledQuery(freshKey, (failed) => POLL_MS * (failed ? AFTER_ERROR : 1), { enabled: first !== undefined });
  const fresh = data && first && data.readAt >= first.readAt ? data : first;
  const onSight = useUnsettledRows({
    list,
    index,
    watched: fresh,
    readPage,
    renew,
    listKey,
    enabled: settles && first !== undefined,
  });
  const rows = useMemo(() => newsIn(fresh, first, index, keeps), [fresh, first, index, keeps]);
  /** Begins the list anew with the page read last. */
  const show = async () => {
    const page = queryClient.getQueryData<Page<T>>(freshKey);
    if (!page) return;
    // A next page on its way would bring the old list back.
    await queryClient.cancelQueries({ queryKey: listKey, exact: true });
    const anew: InfiniteData<Page<T>, string | null> = { pages: [page], pageParams: [null] };
    queryClient.setQueryData(listKey, anew);
  };
  return {
    rows,
    left,
    /** When the top of the list was last known to read like this, Unix seconds. */
    asOf: (rows.added === 0 && left === 0 ? fresh : first)?.readAt ?? null,
    /** When the first page was last read, Unix seconds. */
    checkedAt: fresh?.readAt ?? null,
    // Of no rows none can have changed.
    byStatus: byStatus && index.count > 0,
    changed,
    /** The last reading failed; what is on screen stays. */
    error: first ? error : null,
    reading: isFetching,
    onSight,
    /** True when it has news. */
    readAgain: async () => {
      const { data: page, error } = await refetch();
      if (error || !page) return false;
      return newsIn(page, first, index, keeps).added > 0 || (byStatus && diffPages(index, page, 0).left.length > 0);
    },
    show,
  };
}

export type Fresh = ReturnType<typeof useNewRows>;

function newsIn<T extends { id: string }>(
  page: Page<T> | undefined,
  first: Page<T> | undefined,
  index: RowIndex<T>,
  keeps: (row: T) => boolean,
): NewRows {
  return page === undefined || page === first ? NOTHING : countNew(index, { ...page, data: page.data.filter(keeps) });
}

type RenewOptions<T> = Pick<FreshOptions<T>, 'listKey' | 'index' | 'byStatus'>;

function useRenewRows<T extends { id: string }>({ listKey, index, byStatus }: RenewOptions<T>) {
  const queryClient = useQueryClient();
  /** How many rows were renewed in place last; another object every time. */
  const [changed, setChanged] = useState<{ rows: number } | null>(null);
  // Of one list: begun anew, or with other filters, it is another.
  const [gone, setGone] = useState<{ of: object; ids: ReadonlySet<string> } | null>(null);
  const list = index.positions;
  const shown = useRef(list);
  useEffect(() => {
    shown.current = list;
  });
  /** Takes what a page that was read again says of the rows from number `start` on; the number of rows that changed. */
  const renew = (page: Page<T>, start: number): number => {
    const news = diffPages(index, page, start);
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
      (now) => now && renewRows(now, index, news.changed),
    );
    // A late answer of another list is no news of this one.
    if (shown.current === list) setChanged({ rows: news.changed.size });
    // A detail that is open says the same as its row.
    for (const id of news.changed.keys()) {
      void queryClient.invalidateQueries({ queryKey: [...listKey.slice(0, 2), 'detail', id], exact: true });
    }
    return news.changed.size;
  };
  /** `left`: rows that the status filter no longer brings. */
  return { renew, left: gone?.of === list ? gone.ids.size : 0, changed };
}
