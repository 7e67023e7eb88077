import { queryOptions } from '@tanstack/react-query';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { createListQueries } from './paging/createListQueries.ts';
import { depositSchema, ledgerEntrySchema, withdrawalSchema } from '#src/shared/contract/rows.ts';

export const depositQueries = createListQueries('deposits', depositSchema);
export const withdrawalQueries = createListQueries('withdrawals', withdrawalSchema);

const entries = createListQueries('ledger-entries', ledgerEntrySchema);

export const ledgerQueries = {
  ...entries,
  /** First page of a payment's entries, oldest first. `status` is in the key so that a change of it reads again. */
  ofSource: (account: string, source: string, status: string | null) =>
    queryOptions({
      queryKey: [account, 'ledger-entries', 'source', source, status],
      queryFn: ({ signal }) => entries.page({ source, order: 'asc' }, null, { limit: LIMIT_MAX, account, signal }),
    }),
};

export const listDeposits = depositQueries.page;
export const listWithdrawals = withdrawalQueries.page;
export const getWithdrawal = withdrawalQueries.row;
