import { queryOptions } from '@tanstack/react-query';
import { segment } from '#src/lib/paths.ts';
import { type ListFilters, PATHS } from './contract.ts';
import { infiniteList } from './infiniteList.ts';
import { type PageOptions, readPage } from './listQuery.ts';
import type { Page } from './paging.ts';
import { type Meta, type ReadOptions, read } from './read.ts';
import { type WithdrawalRow, listOf, parseWith, withdrawalSchema } from './schemas.ts';

const parseWithdrawals = listOf(withdrawalSchema);
const parseWithdrawal = parseWith(withdrawalSchema);

export const withdrawalQueries = {
  /** Not in the contract: isNotOffered(error) when the service does not have it. */
  list: (account: string, filters: ListFilters) =>
    infiniteList([account, 'withdrawals', 'list', filters], (cursor, options) =>
      listWithdrawals(filters, cursor, { ...options, account }),
    ),
  detail: (account: string, id: string) =>
    queryOptions({
      queryKey: [account, 'withdrawals', 'detail', id],
      // Else a row that is read again is a copy, of which nobody knows what the service sent.
      structuralSharing: false,
      queryFn: ({ signal }) => getWithdrawal(id, { account, signal }),
    }),
};

/** One page of withdrawals. */
export function listWithdrawals(
  filters: ListFilters,
  cursor: string | null,
  options: PageOptions = {},
): Promise<Page<WithdrawalRow>> {
  return readPage(PATHS.withdrawals, parseWithdrawals, filters, cursor, options);
}

/** One withdrawal (4.1); a 404 ApiError means that this account has none with that id. */
export async function getWithdrawal(
  id: string,
  options: ReadOptions = {},
): Promise<Meta & { withdrawal: WithdrawalRow }> {
  const parse = (json: unknown): WithdrawalRow => {
    const withdrawal = parseWithdrawal(json);
    if (withdrawal.id !== id) throw new TypeError('it is another withdrawal than the one asked for');
    return withdrawal;
  };
  const { data, meta } = await read(`${PATHS.withdrawals}/${segment(id)}`, undefined, parse, options);
  return { withdrawal: data, ...meta };
}
