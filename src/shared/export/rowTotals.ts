import * as v from 'valibot';
import { isAmount } from '#src/shared/amount.ts';
import { runningSum } from '#src/shared/money.ts';
import { compareWords, textOrNull } from '#src/shared/text.ts';

/** Rows of one asset and status; null where the service stated none. */
export const rowSumSchema = v.object({
  asset: v.nullable(v.string()),
  status: v.nullable(v.string()),
  rows: v.number(),
  /** Exact, of the rows whose amount can be read. */
  sum: v.string(),
  /** Rows whose amount is no decimal string; they are not in the sum. */
  unreadable: v.number(),
});
export type RowSum = v.InferOutput<typeof rowSumSchema>;

/** Exact sums per asset and status; never across assets. `from`: as listed before. */
export function createTotals(from: readonly RowSum[] = []) {
  type Total = Omit<RowSum, 'sum'> & { sum: ReturnType<typeof runningSum> };
  const byAsset = new Map<string | null, Map<string | null, Total>>();
  const totalOf = (asset: string | null, status: string | null): Total => {
    const byStatus = byAsset.get(asset) ?? new Map<string | null, Total>();
    const total = byStatus.get(status) ?? { asset, status, rows: 0, sum: runningSum(), unreadable: 0 };
    if (total.rows === 0) byAsset.set(asset, byStatus.set(status, total));
    return total;
  };
  const change = (by: 1 | -1, asset: unknown, status: unknown, amount: unknown): void => {
    const total = totalOf(textOrNull(asset), textOrNull(status));
    total.rows += by;
    if (!isAmount(amount)) total.unreadable += by;
    else if (by === 1) total.sum.add(amount);
    else total.sum.subtract(amount);
  };
  for (const { asset, status, rows, sum, unreadable } of from) {
    const total = totalOf(asset, status);
    total.rows += rows;
    total.unreadable += unreadable;
    total.sum.add(sum);
  }
  return {
    add: (asset: unknown, status: unknown, amount: unknown) => change(1, asset, status, amount),
    remove: (asset: unknown, status: unknown, amount: unknown) => change(-1, asset, status, amount),
    /** By asset, then status. */
    list: (): RowSum[] =>
      [...byAsset.values()]
        .flatMap((byStatus) => [...byStatus.values()])
        .filter(({ rows }) => rows > 0)
        .map((total) => ({ ...total, sum: total.sum.value() }))
        .sort((a, b) => compareWords(a.asset, b.asset) || compareWords(a.status, b.status)),
  };
}

/** Ledger entries have no status. */
export function haveStatus(sums: readonly RowSum[]): boolean {
  return sums.some(({ status }) => status !== null);
}
