import { isAmount } from '#src/lib/amount.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { add, subtract } from '#src/lib/money.ts';
import type { ListRow } from './fields.tsx';
import type { RowIndex } from './rowIndex.ts';

/** Rows of one asset and status; null where the service stated none. */
export interface RowSum {
  asset: string | null;
  status: string | null;
  rows: number;
  /** Exact, of the rows whose amount can be read. */
  sum: string;
  /** Rows whose amount is no decimal string; they are not in the sum. */
  unreadable: number;
}

type Sums = Map<string, RowSum>;

/** Sums of a list's rows, by asset and status; a page is added once, and again when its rows were renewed. */
export function rowSummer<T extends ListRow>(amountOf: (row: T) => unknown): (index: RowIndex<T>) => RowSum[] {
  const pages = new WeakMap<readonly T[], Sums>();
  let counted: { of: object; kept: readonly (readonly T[])[]; sums: Sums } | null = null;
  const sumsOf = (rows: readonly T[]): Sums => {
    const known = pages.get(rows) ?? sumRows(rows, amountOf);
    pages.set(rows, known);
    return known;
  };
  return ({ positions, kept }) => {
    const before = counted?.of === positions ? counted : { kept: [], sums: new Map<string, RowSum>() };
    const { sums } = before;
    for (const [at, rows] of kept.entries()) {
      const old = before.kept[at];
      if (old === rows) continue;
      if (old) for (const [key, sum] of sumsOf(old)) merge(sums, key, sum, -1);
      for (const [key, sum] of sumsOf(rows)) merge(sums, key, sum, 1);
    }
    counted = { of: positions, kept, sums };
    return [...sums.values()].filter(({ rows }) => rows > 0);
  };
}

function sumRows<T extends ListRow>(rows: readonly T[], amountOf: (row: T) => unknown): Sums {
  const sums: Sums = new Map();
  for (const row of rows) {
    const { asset } = row;
    const status = typeof row['status'] === 'string' ? row['status'] : null;
    const amount = amountOf(row);
    const readable = isAmount(amount);
    const one = { asset, status, rows: 1, sum: readable ? amount : '0', unreadable: readable ? 0 : 1 };
    merge(sums, stringifyExact([asset, status]), one, 1);
  }
  return sums;
}

function merge(sums: Sums, key: string, one: RowSum, sign: 1 | -1): void {
  const all = sums.get(key) ?? { ...one, rows: 0, sum: '0', unreadable: 0 };
  sums.set(key, {
    ...all,
    rows: all.rows + sign * one.rows,
    sum: sign === 1 ? add(all.sum, one.sum) : subtract(all.sum, one.sum),
    unreadable: all.unreadable + sign * one.unreadable,
  });
}
