import { type InfiniteData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Page } from '#src/api/paging.ts';
import { usePolledQuery } from '#src/api/polling.ts';
import { countFresh, type FreshRows } from './freshRows.ts';
import { pageNews } from './pageNews.ts';
import type { RowIndex } from './rowIndex.ts';
import { type Changed, useRenewRows } from './useRenewRows.ts';
import { useYoungRows } from './useYoungRows.ts';
import type { Sight } from './youngRows.ts';

const POLL_MS = 18_000;
const AFTER_ERROR = 4;

interface FreshOptions<T> {
  /** Key of the list; the page read again has one of its own. */
  listKey: QueryKey;
  /** Undefined while the list itself is being read: then there is nothing to watch. */
  data: InfiniteData<Page<T>> | undefined;
  index: RowIndex<T>;
  /** Reads a page of the list with the same filters and size. */
  readPage: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;
  /** The rows are filtered by a status: one that gets another leaves the list. */
  byStatus: boolean;
  /** Rows settle with time, so those in sight that have not are read again. */
  settles: boolean;
}

export interface Fresh {
  rows: FreshRows;
  /** Rows of the list that its status filter no longer brings. */
  left: number;
  /** When the top of the list was last known to read like this, Unix seconds. */
  asOf: number | null;
  /** When the first page was last read, Unix seconds. */
  checkedAt: number | null;
  byStatus: boolean;
  /** What was renewed in place last; another object every time. */
  changed: Changed | null;
  /** The last reading failed; what is on screen stays. */
  error: Error | null;
  reading: boolean;
  /** The table says here which rows are in sight. */
  onSight: (sight: Sight | null) => void;
  /** Reads the first page again; true when it has news. */
  readAgain: () => Promise<boolean>;
  /** Begins the list anew with the page read last. */
  show: () => Promise<void>;
}

const NOTHING: FreshRows = { added: 0, orMore: false };

/**
 * Watches a list while the window is visible: its first page is read again for news, which wait to be asked for, and the
 * pages of rows in sight that have not settled. A row that changed is renewed where it stands; none moves or goes.
 */
export function useFreshRows<T extends { id: string }>(options: FreshOptions<T>): Fresh {
  const { listKey, data: list, index, readPage, byStatus, settles } = options;
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
  const onSight = useYoungRows({
    list,
    index,
    watched: fresh,
    readPage,
    renew,
    listKey,
    enabled: settles && first !== undefined,
  });
  const rows = useMemo(() => newsIn(fresh, first, index), [fresh, first, index]);
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
    asOf: (rows.added === 0 && left === 0 ? fresh : first)?.readAt ?? null,
    checkedAt: fresh?.readAt ?? null,
    byStatus,
    changed,
    error: first ? error : null,
    reading: isFetching,
    onSight,
    readAgain: async () => {
      const { data: page, error } = await refetch();
      if (error || !page) return false;
      return newsIn(page, first, index).added > 0 || (byStatus && pageNews(index, page, 0).left.length > 0);
    },
    show,
  };
}

function newsIn<T extends { id: string }>(
  page: Page<T> | undefined,
  first: Page<T> | undefined,
  index: RowIndex<T>,
): FreshRows {
  return page === undefined || page === first ? NOTHING : countFresh(index, page);
}
