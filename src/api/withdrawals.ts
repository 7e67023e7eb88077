import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { segment } from '#src/lib/paths.ts';
import { type ListFilters, PATHS } from './contract.ts';
import { type PageOptions, readPage } from './listQuery.ts';
import { type Page, nextStep } from './paging.ts';
import { type Meta, type ReadOptions, read } from './read.ts';
import { type WithdrawalRow, listOf, parseWith, withdrawalSchema } from './schemas.ts';

const PAGE_SIZE = 50;
const parseWithdrawals = listOf(withdrawalSchema);
const parseWithdrawal = parseWith(withdrawalSchema);

export const withdrawalQueries = {
  /** Not in the contract: isNotOffered(error) when the service does not have it. */
  list: (account: string, filters: ListFilters) =>
    infiniteQueryOptions({
      queryKey: [account, 'withdrawals', 'list', filters],
      queryFn: ({ pageParam, signal }) => listWithdrawals(filters, pageParam, { limit: PAGE_SIZE, account, signal }),
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
      queryKey: [account, 'withdrawals', 'detail', id],
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
