import { queryOptions } from '@tanstack/react-query';
import { segment } from '#src/lib/paths.ts';
import { PATHS } from './contract.ts';
import type { FoundRow, RowLookup } from './paging/findRow.ts';
import { listResource } from './paging/listResource.ts';
import { type ReadOptions, read } from './read.ts';
import { type WithdrawalRow, parseWith, withdrawalSchema } from './schemas.ts';

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
