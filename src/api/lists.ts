import { PATHS, LIMIT_MAX } from './contract.ts';
import { listResource } from './paging/listResource.ts';
import { depositSchema, type WithdrawalRow, parseWith, withdrawalSchema, ledgerEntrySchema } from './schemas.ts';
import { queryOptions } from '@tanstack/react-query';
import { segment } from '#src/lib/paths.ts';
import type { FoundRow, RowLookup } from './paging/findRow.ts';
import { type ReadOptions, read } from './read.ts';

/** The contract has no look-up of one deposit: it is found in the list (4.4). */
export const depositQueries = listResource('deposits', PATHS.deposits, depositSchema);

/** One page of deposits (4.4). */
export const listDeposits = depositQueries.page;

const parseWithdrawal = parseWith(withdrawalSchema);
const withdrawals = listResource('withdrawals', PATHS.withdrawals, withdrawalSchema);

export const withdrawalQueries = {
  ...withdrawals,
  detail: (account: string, id: string) =>
    queryOptions({
      ...withdrawals.detail(account, id),
      queryFn: ({ signal }): Promise<RowLookup<WithdrawalRow>> => getWithdrawal(id, { account, signal }),
    }),
};

/** One page of withdrawals. */
export const listWithdrawals = withdrawals.page;

/** One withdrawal (4.1); a 404 ApiError means that this account has none with that id. */
export async function getWithdrawal(id: string, options: ReadOptions = {}): Promise<FoundRow<WithdrawalRow>> {
  const parse = (json: unknown): WithdrawalRow => {
    const withdrawal = parseWithdrawal(json);
    if (withdrawal.id !== id) throw new TypeError('it is another withdrawal than the one asked for');
    return withdrawal;
  };
  const { data, meta } = await read(`${PATHS.withdrawals}/${segment(id)}`, undefined, parse, options);
  return { found: true, row: data, ...meta };
}

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
