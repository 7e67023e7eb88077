import { queryOptions } from '@tanstack/react-query';
import { LIMIT_MAX, PATHS } from './contract.ts';
import { listResource } from './paging/listResource.ts';
import { ledgerEntrySchema } from './schemas.ts';

const entries = listResource('ledger-entries', PATHS.ledgerEntries, ledgerEntrySchema);

/** Not in the contract (2.6, 4.6): isNotOffered(error) when the service does not have it. */
export const ledgerQueries = {
  ...entries,
  /** The first page of the entries behind a deposit or a withdrawal, oldest first; another status is another reading. */
  ofSource: (account: string, source: string, status: string | null) =>
    queryOptions({
      queryKey: [account, 'ledger-entries', 'source', source, status],
      queryFn: ({ signal }) => entries.page({ source, order: 'asc' }, null, { limit: LIMIT_MAX, account, signal }),
    }),
};

/** One page of ledger entries. */
export const listLedgerEntries = entries.page;
