import type { ResponseInfo } from '#src/shared/answers.ts';
import type { BalanceRow, ParsedList } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { WalkEnd } from '#src/shared/paging/followPages.ts';

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

export function allBalances({ balances, further }: Pick<Balances, 'balances' | 'further'>): BalanceRow[] {
  if (further.length === 0) return balances;
  return balances.flatMap((first) => [first, ...further.filter(({ asset }) => asset === first.asset)]);
}

/** Puts the pages of the list of balances together. */
export function createBalancesCollector() {
  const byAsset = new Map<string, BalanceRow>();
  const texts = new Set<string>();
  const further: BalanceRow[] = [];
  const malformed: unknown[] = [];
  let first: ResponseInfo | null = null;
  return {
    add: ({ data, malformed: items, requestId, date, readAt }: ParsedList<BalanceRow> & ResponseInfo): void => {
      first ??= { requestId, date, readAt };
      for (const row of data) {
        const text = stringifyExact(row);
        if (texts.has(text)) continue;
        texts.add(text);
        if (byAsset.has(row.asset)) further.push(row);
        else byAsset.set(row.asset, row);
      }
      malformed.push(...items);
    },
    result: (end: WalkEnd, readAt: number): Balances => {
      const reason = end.kind === 'more' ? 'The list of balances does not end.' : null;
      const broken = end.kind === 'broken' ? end.reason : reason;
      const info = first ?? { requestId: null, date: null, readAt };
      return { balances: [...byAsset.values()], further, malformed, broken, complete: broken === null, ...info };
    },
  };
}
