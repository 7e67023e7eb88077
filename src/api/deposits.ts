import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type ListFilters, PATHS } from './contract.ts';
import { findDeposit } from './findDeposit.ts';
import { type PageOptions, readPage } from './listQuery.ts';
import { type Page, nextStep } from './paging.ts';
import { type DepositRow, depositSchema, listOf } from './schemas.ts';

const PAGE_SIZE = 50;
const parseDeposits = listOf(depositSchema);

export const depositQueries = {
  /** Read as far as the person scrolls and never again by itself: rows do not move under the reader. */
  list: (account: string, filters: ListFilters) =>
    infiniteQueryOptions({
      queryKey: [account, 'deposits', 'list', filters],
      queryFn: ({ pageParam, signal }) => listDeposits(filters, pageParam, { limit: PAGE_SIZE, account, signal }),
      initialPageParam: null as string | null,
      getNextPageParam: (last, _pages, _cursor, used) => {
        const step = nextStep(last, used);
        return step.kind === 'more' ? step.cursor : null;
      },
      staleTime: Infinity,
      refetchOnMount: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  detail: (account: string, id: string) =>
    queryOptions({
      queryKey: [account, 'deposits', 'detail', id],
      queryFn: ({ signal }) =>
        findDeposit(id, (filters, cursor, limit) => listDeposits(filters, cursor, { limit, account, signal })),
    }),
};

/** One page of deposits (4.4). */
export function listDeposits(
  filters: ListFilters,
  cursor: string | null,
  options: PageOptions = {},
): Promise<Page<DepositRow>> {
  return readPage(PATHS.deposits, parseDeposits, filters, cursor, options);
}
