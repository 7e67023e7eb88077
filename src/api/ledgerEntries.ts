import { queryOptions } from '@tanstack/react-query';
import { LIMIT_MAX, type ListFilters, PATHS } from './contract.ts';
import { findRow } from './findRow.ts';
import { infiniteList } from './infiniteList.ts';
import { type PageOptions, readPage } from './listQuery.ts';
import type { Page } from './paging.ts';
import { type LedgerEntryRow, ledgerEntrySchema, listOf } from './schemas.ts';

const parseEntries = listOf(ledgerEntrySchema);

/** Not in the contract (2.6, 4.6): isNotOffered(error) when the service does not have it. */
export const ledgerQueries = {
  list: (account: string, filters: ListFilters) =>
    infiniteList([account, 'ledger-entries', 'list', filters], (cursor, options) =>
      listLedgerEntries(filters, cursor, { ...options, account }),
    ),
  /** The first page of the entries behind a deposit or a withdrawal, oldest first. */
  ofSource: (account: string, source: string) =>
    queryOptions({
      queryKey: [account, 'ledger-entries', 'source', source],
      queryFn: ({ signal }) => listLedgerEntries({ source, order: 'asc' }, null, { limit: LIMIT_MAX, account, signal }),
    }),
  detail: (account: string, id: string) =>
    queryOptions({
      queryKey: [account, 'ledger-entries', 'detail', id],
      // Else a row that is read again is a copy, of which nobody knows what the service sent.
      structuralSharing: false,
      queryFn: ({ signal }) =>
        findRow(id, (filters, cursor, limit) => listLedgerEntries(filters, cursor, { limit, account, signal })),
    }),
};

/** One page of ledger entries. */
export function listLedgerEntries(
  filters: ListFilters,
  cursor: string | null,
  options: PageOptions = {},
): Promise<Page<LedgerEntryRow>> {
  return readPage(PATHS.ledgerEntries, parseEntries, filters, cursor, options);
}
