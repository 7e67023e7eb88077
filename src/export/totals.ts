import { isAmount } from '#src/lib/amount.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { add } from '#src/lib/money.ts';
import { asText, compareWords } from '#src/lib/text.ts';

/** Rows of one asset and status; null where the service stated none. */
export interface Total {
  asset: string | null;
  status: string | null;
  rows: number;
  /** Exact, of the rows whose amount can be read. */
  sum: string;
  /** Rows whose amount is no decimal string; they are not in the sum. */
  unreadable: number;
}

export interface Totals {
  add: (asset: unknown, status: unknown, amount: unknown) => void;
  /** By asset, then status. */
  list: () => Total[];
}

/** Exact sums per asset and status; never across assets. */
export function createTotals(): Totals {
  const byKind = new Map<string, Total>();
  return {
    add: (asset, status, amount) => {
      const kind = { asset: wordOf(asset), status: wordOf(status) };
      const key = stringifyExact([kind.asset, kind.status]);
      const total = byKind.get(key) ?? { ...kind, rows: 0, sum: '0', unreadable: 0 };
      byKind.set(key, total);
      total.rows += 1;
      if (typeof amount === 'string' && isAmount(amount)) total.sum = add(total.sum, amount);
      else total.unreadable += 1;
    },
    list: () => [...byKind.values()].sort((a, b) => compareWords(a.asset, b.asset) || compareWords(a.status, b.status)),
  };
}

function wordOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return asText(value);
}
