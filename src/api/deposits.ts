import { queryOptions } from '@tanstack/react-query';
import { type ListFilters, PATHS } from './contract.ts';
import { findDeposit } from './findDeposit.ts';
import { infiniteList } from './infiniteList.ts';
import { type PageOptions, readPage } from './listQuery.ts';
import type { Page } from './paging.ts';
import { type DepositRow, depositSchema, listOf } from './schemas.ts';

const parseDeposits = listOf(depositSchema);

export const depositQueries = {
  list: (account: string, filters: ListFilters) =>
    infiniteList([account, 'deposits', 'list', filters], (cursor, options) =>
      listDeposits(filters, cursor, { ...options, account }),
    ),
  detail: (account: string, id: string) =>
    queryOptions({
      queryKey: [account, 'deposits', 'detail', id],
      // Else a row that is read again is a copy, of which nobody knows what the service sent.
      structuralSharing: false,
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
