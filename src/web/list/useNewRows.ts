import { type InfiniteData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useEffect, useRef, useState } from 'react';
import type { Page } from '#src/web/api/paging/paging.ts';
import { POLLED } from '#src/web/api/polled.ts';
import { countNew, type NewRowCount, diffPages } from './diffPages.ts';
import { newerRowsQuery, NO_NEWER_ROWS, setNewerRows } from '#src/web/api/paging/newerRows.ts';
import type { RowIndex } from './rows/rowIndex.ts';
import { useUnsettledRows } from './useUnsettledRows.ts';

const POLL_MS = 18_000;
const AFTER_ERROR = 4;

interface NewRowsOptions<T> {
  /** Query key of the list; the polled first page has its own. */
  listKey: QueryKey;
  /** Undefined until the first page is loaded. */
  data: InfiniteData<Page<T>> | undefined;
  index: RowIndex<T>;
  /** Including the rows that the page's filters exclude. */
  loaded: RowIndex<T>;
  /** Whether a row belongs to the list; the service does not apply all filters. */
  keeps: (row: T) => boolean;
  /** Reads a page of the list with the same filters and size. */
  readPage: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;
  /** The list is filtered by status: a row whose status changes leaves it. */
  byStatus: boolean;
  /** Rows change until they settle, so unsettled rows in sight are polled. */
  settles: boolean;
}

const NOTHING: NewRowCount = { added: 0, orMore: false };

/**
 * Polls a list while the window is visible: its first page for new rows, which are announced and wait for a click, and
 * the pages of unsettled rows in sight. A changed row is updated in its place; no row moves or disappears.
 */
export function useNewRows<T extends { id: string }>(options: NewRowsOptions<T>) {
  const { listKey, data: list, index, loaded, keeps, readPage, byStatus, settles } = options;
  const queryClient = useQueryClient();
  const first = list?.pages[0];
  const firstPageKey = [...listKey, 'fresh'];
  const { renew, leftCount, changed } = useRenewRows({ listKey, loaded, byStatus });
  const query = useQuery({
    queryKey: firstPageKey,
    queryFn: async ({ signal }) => {
      const page = await readPage(null, signal);
      renew(page, 0);
      return page;
    },
    enabled: first !== undefined,
    ...(first && { initialData: first, initialDataUpdatedAt: first.readAt * 1000 }),
    staleTime: POLL_MS,
    ...POLLED,
    refetchInterval: ({ state }) => POLL_MS * (state.status === 'error' ? AFTER_ERROR : 1),
    // Sharing copies rows, and rawOf() finds the JSON as sent by the row object.
    structuralSharing: false,
  });
  const { data, error, isFetching, refetch } = query;
  const newest = data && first && data.readAt >= first.readAt ? data : first;
  const onSight = useUnsettledRows({
    list,
    index,
    loaded,
    watched: newest,
    readPage,
    renew,
    listKey,
    enabled: settles && first !== undefined,
  });
  const count = useMemo(() => newsIn(newest, first, loaded, keeps), [newest, first, loaded, keeps]);
  /** Restarts the list with the latest first page. */
  const show = async () => {
    const page = queryClient.getQueryData<Page<T>>(firstPageKey);
    if (!page) return;
    // A next page in flight would bring the old list back.
    await queryClient.cancelQueries({ queryKey: listKey, exact: true });
    const anew: InfiniteData<Page<T>, string | null> = { pages: [page], pageParams: [null] };
    queryClient.setQueryData(listKey, anew);
    queryClient.setQueryData(newerRowsQuery<T>(listKey).queryKey, NO_NEWER_ROWS);
  };
  return {
    count,
    /** How many rows no longer match the status filter. */
    leftCount,
    /** When the top of the list was last confirmed, Unix seconds. */
    asOf: (count.added === 0 && leftCount === 0 ? newest : first)?.readAt ?? null,
    /** When the first page was last read, Unix seconds. */
    checkedAt: newest?.readAt ?? null,
    /** When the list was loaded, Unix seconds. */
    loadedAt: first?.readAt ?? null,
    // Without rows, no status can have changed.
    byStatus: byStatus && loaded.count > 0,
    changed,
    /** Error of the last poll; the rows stay. */
    error: first ? error : null,
    isReading: isFetching,
    onSight,
    /** Returns whether there are new rows, or rows that left the status filter. */
    readAgain: async () => {
      const { data: page, error } = await refetch();
      if (error || !page) return false;
      return newsIn(page, first, loaded, keeps).added > 0 || (byStatus && diffPages(loaded, page, 0).left.length > 0);
    },
    show,
  };
}

export type NewRowsState = ReturnType<typeof useNewRows>;

function newsIn<T extends { id: string }>(
  page: Page<T> | undefined,
  first: Page<T> | undefined,
  loaded: RowIndex<T>,
  keeps: (row: T) => boolean,
): NewRowCount {
  return page === undefined || page === first ? NOTHING : countNew(loaded, { ...page, data: page.data.filter(keeps) });
}

type RenewOptions<T> = Pick<NewRowsOptions<T>, 'listKey' | 'loaded' | 'byStatus'>;

function useRenewRows<T extends { id: string }>({ listKey, loaded, byStatus }: RenewOptions<T>) {
  const queryClient = useQueryClient();
  /** How many rows the last change updated; a new object each time. */
  const [changed, setChanged] = useState<{ rows: number } | null>(null);
  // `of` is the list it belongs to: after a restart or with other filters, it is another list.
  const [gone, setGone] = useState<{ of: object; ids: ReadonlySet<string> } | null>(null);
  const list = loaded.positions;
  const shown = useRef(list);
  useEffect(() => {
    shown.current = list;
  });
  /** Updates rows from a page that was read again; its rows start at number `start`. Returns how many rows changed. */
  const renew = (page: Page<T>, start: number): number => {
    const news = diffPages(loaded, page, start);
    if (byStatus) {
      setGone((before) => {
        const ids = new Set(before?.of === list ? before.ids : []);
        for (const { id } of page.data) ids.delete(id);
        for (const id of news.left) ids.add(id);
        return { of: list, ids };
      });
    }
    if (news.changed.size === 0) return 0;
    const firstPage = queryClient.getQueryData<InfiniteData<Page<T>>>(listKey)?.pages[0];
    // A list that started over meanwhile may have later readings of these rows.
    if (firstPage !== loaded.pages[0]) return 0;
    setNewerRows(queryClient, listKey, news.changed, page);
    // Do not announce a late response for another list.
    if (shown.current === list) setChanged({ rows: news.changed.size });
    // An open detail must agree with its row.
    for (const id of news.changed.keys()) {
      void queryClient.invalidateQueries({ queryKey: [...listKey.slice(0, 2), 'detail', id], exact: true });
    }
    return news.changed.size;
  };
  return { renew, leftCount: gone?.of === list ? gone.ids.size : 0, changed };
}
