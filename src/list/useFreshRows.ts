import { type InfiniteData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Page } from '#src/api/paging.ts';
import { usePolledQuery } from '#src/api/usePolling.ts';
import { countFresh, type FreshRows } from './freshRows.ts';
import { type RowIndex, rowAt } from './rowIndex.ts';

const POLL_MS = 18_000;
const AFTER_ERROR = 4;

interface FreshOptions<T> {
  /** Key of the list; the page read again has one of its own. */
  listKey: QueryKey;
  /** Undefined while the list itself is being read: then there is nothing to watch. */
  first: Page<T> | undefined;
  index: RowIndex<T>;
  readFirst: (signal: AbortSignal) => Promise<Page<T>>;
}

export interface Fresh {
  rows: FreshRows;
  /** When the top of the list was last known to read like this, Unix seconds. */
  asOf: number | null;
  /** When the first page was last read, Unix seconds. */
  checkedAt: number | null;
  /** The last reading failed; what is on screen stays. */
  error: Error | null;
  reading: boolean;
  /** Reads the first page again; true when it has news. */
  readAgain: () => Promise<boolean>;
  /** Begins the list anew with the page read last. */
  show: () => Promise<void>;
}

const NOTHING: FreshRows = { added: 0, orMore: false, changed: 0 };

/** Watches the first page of a list with the same filters while the window is visible, and never touches the list by itself. */
export function useFreshRows<T extends { id: string }>({ listKey, first, index, readFirst }: FreshOptions<T>): Fresh {
  const queryClient = useQueryClient();
  const freshKey = [...listKey, 'fresh'];
  const query = useQuery({
    queryKey: freshKey,
    queryFn: ({ signal }) => readFirst(signal),
    enabled: first !== undefined,
    ...(first && { initialData: first, initialDataUpdatedAt: first.readAt * 1000 }),
    staleTime: POLL_MS,
    // The person's choice decides; rows may be any JSON, and sharing them with the list would hide what changed.
    structuralSharing: false,
  });
  const { data, error, isFetching, refetch } = query;
  usePolledQuery(query, (failed) => POLL_MS * (failed ? AFTER_ERROR : 1), first !== undefined);
  const fresh = data && first && data.readAt >= first.readAt ? data : first;
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
    asOf: (rows.added === 0 && rows.changed === 0 ? fresh : first)?.readAt ?? null,
    checkedAt: fresh?.readAt ?? null,
    error: first ? error : null,
    reading: isFetching,
    readAgain: async () => {
      const result = await refetch();
      if (result.error) return false;
      const { added, changed } = newsIn(result.data, first, index);
      return added > 0 || changed > 0;
    },
    show,
  };
}

function newsIn<T extends { id: string }>(
  page: Page<T> | undefined,
  first: Page<T> | undefined,
  index: RowIndex<T>,
): FreshRows {
  return page === undefined || page === first ? NOTHING : countFresh(index, page, (at) => rowAt(index, at));
}
