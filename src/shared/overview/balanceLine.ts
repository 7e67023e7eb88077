// Balances day by day, counted backwards by the ledger.
import { isAmount } from '#src/shared/amount.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { subtract, sum } from '#src/shared/money.ts';
import { dateOf, daysBefore, dayStart, isPlausibleTime, type Zone } from '#src/shared/time.ts';

/** The days covered by the balance lines on Home and by usual durations. */
export const LEDGER_DAYS = 30;

/** Finds the day of a moment. Fast if most moments are on the same day as the one before. */
export function dayFinder(zone: Zone): (unix: number) => string {
  let day = '';
  let from = 0;
  let until = 0;
  return (unix) => {
    if (unix >= from && unix < until) return day;
    day = dateOf(unix, zone);
    from = dayStart(day, zone) ?? unix;
    until = dayStart(daysBefore(day, -1), zone) ?? unix + 1;
    return day;
  };
}

/** The sum of one asset's ledger entries by day. Null if an entry can't be counted, as then no balance is certain. */
export function movedByDay(entries: readonly LedgerEntryRow[], zone: Zone): ReadonlyMap<string, string> | null {
  const dayOf = dayFinder(zone);
  const moves = entries.flatMap(({ amount, created_at: at }) =>
    isAmount(amount) && isPlausibleTime(at) ? [{ day: dayOf(at), amount }] : [],
  );
  if (moves.length < entries.length) return null;
  const days = groupBy(moves, ({ day }) => day);
  return new Map([...days].map(([day, moves]) => [day, sum(moves.map(({ amount }) => amount))]));
}

/** The `count` days that end today, oldest first; fewer if the ledger isn't loaded that far back. */
export function daysBack(today: string, count: number, reached: number | null, zone: Zone): string[] {
  const days = Array.from({ length: count }, (_, at) => daysBefore(today, count - 1 - at));
  // The day on which loading stopped is only partly loaded.
  const from = reached === null ? '' : dateOf(reached, zone);
  return days.filter((day) => day > from);
}

/** The balance at the end of each of these days, which end today, backwards from what it is now. */
export function closingBalances(moved: ReadonlyMap<string, string>, total: string, days: readonly string[]): string[] {
  const closings: string[] = [];
  let balance = total;
  for (const day of days.toReversed()) {
    closings.push(balance);
    balance = subtract(balance, moved.get(day) ?? '0');
  }
  return closings.toReversed();
}
