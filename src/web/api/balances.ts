import { queryOptions } from '@tanstack/react-query';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import { LIMIT_MAX, PATHS } from '#src/shared/contract/contract.ts';
import { readPage, walkPages } from './paging/paging.ts';
import { type ResponseInfo, noResponseInfo, type ReadOptions, read } from './query.ts';
import { type BalanceRow, balanceSchema, listOf, parseWith } from './schemas.ts';

const STALE_MS = 15_000;
/** 10,000 assets. A longer list is taken for a service that never ends its paging. */
const MAX_PAGES = 100;
const parseBalances = listOf(balanceSchema);
const parseBalance = parseWith(balanceSchema);

/** All balances of the account; times and request id of the first page. */
export interface Balances extends ResponseInfo {
  /** Each asset once, in the service's order. */
  balances: BalanceRow[];
  /** Second and later balances of an asset in `balances`. */
  further: BalanceRow[];
  malformed: unknown[];
  /** Null when every page was read; else why reading stopped, and nothing may say "all" or "none". */
  broken: string | null;
  complete: boolean;
}

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

export function allBalances({ balances, further }: Pick<Balances, 'balances' | 'further'>): BalanceRow[] {
  if (further.length === 0) return balances;
  return balances.flatMap((first) => [first, ...further.filter(({ asset }) => asset === first.asset)]);
}

export async function listBalances({ account, signal }: ReadOptions = {}): Promise<Balances> {
  const byAsset = new Map<string, BalanceRow>();
  const texts = new Set<string>();
  const further: BalanceRow[] = [];
  const malformed: unknown[] = [];
  const metas: ResponseInfo[] = [];
  const end = await walkPages(
    (cursor) => readPage(PATHS.balances, parseBalances, {}, cursor, { limit: LIMIT_MAX, account, signal }),
    ({ data, malformed: items, requestId, date, readAt }) => {
      metas.push({ requestId, date, readAt });
      for (const row of data) {
        const text = stringifyExact(row);
        if (texts.has(text)) continue;
        texts.add(text);
        if (byAsset.has(row.asset)) further.push(row);
        else byAsset.set(row.asset, row);
      }
      malformed.push(...items);
    },
    { signal, maxPages: MAX_PAGES },
  );
  const reason = end.kind === 'more' ? 'The list of balances does not end.' : null;
  const broken = end.kind === 'broken' ? end.reason : reason;
  const [first = noResponseInfo()] = metas;
  return { balances: [...byAsset.values()], further, malformed, broken, complete: broken === null, ...first };
}

/** One balance (4.2); a 404 ApiError means that the account never held the asset. */
export async function getBalance(
  asset: string,
  options: ReadOptions = {},
): Promise<ResponseInfo & { balance: BalanceRow }> {
  const { data, meta } = await read(`${PATHS.balances}/${segment(asset)}`, undefined, parseBalance, options);
  return { balance: data, ...meta };
}
