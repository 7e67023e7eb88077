import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { depositQueries } from '#src/api/deposits.ts';
import type { DepositLookup } from '#src/api/findDeposit.ts';
import type { Page } from '#src/api/paging.ts';
import type { DepositRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { listsOf, loadedRow } from '#src/list/loadedRow.ts';

/** A row of the list is shown at once; older than this it is also looked up again. */
const FRESH_MS = 60_000;

/** A deposit by id: what a list has of it at once, and the look-up; `shown` is what is known of it, found or not. */
export function useDeposit(id: string) {
  const account = useSession()?.account ?? '';
  const queryClient = useQueryClient();
  // As the lists had it when it was opened.
  const seen = useMemo(() => rowOfLists(queryClient, account, id), [queryClient, account, id]);
  const { data, error, isFetching, refetch } = useQuery({
    ...depositQueries.detail(account, id),
    staleTime: FRESH_MS,
    ...(seen && { initialData: seen, initialDataUpdatedAt: seen.readAt * 1000 }),
  });
  // A look-up that did not find what a list had shown does not take it away.
  const shown = data?.found ? data : (seen ?? data);
  return { shown, lookup: data, error, reading: isFetching, readAgain: () => void refetch() };
}

function rowOfLists(queryClient: QueryClient, account: string, id: string): DepositLookup | undefined {
  const lists = queryClient.getQueriesData<InfiniteData<Page<DepositRow>>>(listsOf(account, 'deposits'));
  const loaded = loadedRow(lists, id);
  return loaded && { found: true, deposit: loaded.row, ...loaded.meta };
}
