import { type Balances, createBalancesCollector } from '#src/shared/overview/balances.ts';
import { queryOptions } from '@tanstack/react-query';
import { segment } from '#src/shared/paths.ts';
import { LIMIT_MAX, PATHS } from '#src/shared/contract/contract.ts';
import { readPage, walkPages } from './paging/paging.ts';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { noResponseInfo, type ReadOptions, read } from './query.ts';
import { balanceOf, type BalanceRow, balanceSchema, listOf } from '#src/shared/contract/rows.ts';

const STALE_MS = 15_000;
/** 10,000 assets. If there are more pages, we assume that the service's paging never ends. */
const MAX_PAGES = 100;
const parseBalances = listOf(balanceSchema);

export const balanceQueries = {
  list: (account: string) =>
    queryOptions({
      queryKey: [account, 'balances', 'list'],
      queryFn: ({ signal }) => listBalances({ account, signal }),
      staleTime: STALE_MS,
    }),
  detail: (account: string, asset: string) =>
    queryOptions({
      queryKey: [account, 'balances', 'detail', asset],
      queryFn: ({ signal }) => getBalance(asset, { account, signal }),
      staleTime: STALE_MS,
    }),
};

export async function listBalances({ account, signal }: ReadOptions = {}): Promise<Balances> {
  const collector = createBalancesCollector();
  const end = await walkPages(
    (cursor) => readPage(PATHS.balances, parseBalances, {}, cursor, { limit: LIMIT_MAX, account, signal }),
    (page) => {
      collector.add(page);
      return undefined;
    },
    { signal, maxPages: MAX_PAGES },
  );
  return collector.result(end, noResponseInfo().readAt);
}

/** One balance (4.2); a 404 ApiError means that the account never held the asset. */
export async function getBalance(
  asset: string,
  options: ReadOptions = {},
): Promise<ResponseInfo & { balance: BalanceRow }> {
  const { data, meta } = await read(`${PATHS.balances}/${segment(asset)}`, undefined, balanceOf(asset), options);
  return { balance: data, ...meta };
}
