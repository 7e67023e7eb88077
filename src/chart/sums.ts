import type { DayRange } from '#src/list/createdRange.ts';
import { type Counted, joined, NO_TALLY, type Tally } from './counted.ts';

/** What there is of one asset, null: of all, from the first to the last of these days. Sums of several assets mean nothing. */
export function tallyOf({ days }: Counted, asset: string | null, { from, to }: DayRange): Tally {
  let whole = NO_TALLY;
  for (const [day, byAsset] of days) {
    if (day < from || day > to) continue;
    for (const [each, tally] of byAsset) if (asset === null || each === asset) whole = joined(whole, tally);
  }
  return whole;
}
