import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PATHS } from './contract.ts';
import { findRow } from './findRow.ts';
import { type AnyFilters, type PageOptions, readPage } from './listQuery.ts';
import { type Page, nextStep } from './paging.ts';
import { type LedgerEntryRow, ledgerEntrySchema, listOf } from './schemas.ts';

const PAGE_SIZE = 50;
const parseEntries = listOf(ledgerEntrySchema);

/** Not in the contract (2.6, 4.6): isNotOffered(error) when the service does not have it. */
export const ledgerQueries = {
  list: (account: string, filters: AnyFilters) =>
    infiniteQueryOptions({
      queryKey: [account, 'ledger-entries', 'list', filters],
      queryFn: ({ pageParam, signal }) => listLedgerEntries(filters, pageParam, { limit: PAGE_SIZE, account, signal }),
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
      queryKey: [account, 'ledger-entries', 'detail', id],
      queryFn: ({ signal }) =>
        findRow(id, (filters, cursor, limit) => listLedgerEntries(filters, cursor, { limit, account, signal })),
    }),
};

/** One page of ledger entries. */
export function listLedgerEntries(
  filters: AnyFilters,
  cursor: string | null,
  options: PageOptions = {},
): Promise<Page<LedgerEntryRow>> {
  return readPage(PATHS.ledgerEntries, parseEntries, filters, cursor, options);
}
