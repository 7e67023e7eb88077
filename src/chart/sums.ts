import { add } from '#src/lib/money.ts';
import type { DayRange } from '#src/list/createdRange.ts';
import type { Counted, Tally } from './counted.ts';

/** Rows and exact sums of one asset from the first to the last of these days. */
export function tallyOf({ days }: Counted, asset: string, { from, to }: DayRange): Tally {
  let whole: Tally = { rows: 0, sum: '0', unreadable: 0 };
  for (const [day, byAsset] of days) {
    const tally = day >= from && day <= to ? byAsset.get(asset) : undefined;
    if (!tally) continue;
    const { rows, sum, unreadable } = tally;
    whole = { rows: whole.rows + rows, sum: add(whole.sum, sum), unreadable: whole.unreadable + unreadable };
  }
  return whole;
}
