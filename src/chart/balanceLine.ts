import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { isAmount } from '#src/lib/amount.ts';
import { compare, subtract, sum } from '#src/lib/money.ts';
import { isPlausibleTime, type Zone } from '#src/lib/time.ts';
import { dayFinder } from './calendar.ts';

/** What moved one asset on each day, by its ledger; null: an entry cannot be counted, so no balance can be. */
export function movedByDay(entries: readonly LedgerEntryRow[], zone: Zone): ReadonlyMap<string, string> | null {
  const dayOf = dayFinder(zone);
  const days = new Map<string, string[]>();
  for (const { amount, created_at: at } of entries) {
    if (!isAmount(amount) || !isPlausibleTime(at)) return null;
    const day = dayOf(at);
    const moved = days.get(day);
    if (moved) moved.push(amount);
    else days.set(day, [amount]);
  }
  return new Map([...days].map(([day, amounts]) => [day, sum(amounts)]));
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

/** Each amount as a part of the way from the least to the most, 0 to 1; for a picture, so not exact. */
export function heightsOf(
  amounts: readonly string[],
  { least, most }: { least?: string; most?: string } = {},
): number[] {
  const sorted = amounts.toSorted(compare);
  const from = least ?? sorted[0] ?? '0';
  const way = Number(subtract(most ?? sorted.at(-1) ?? '0', from));
  return amounts.map((amount) => Math.min(1, Math.max(0, Number(subtract(amount, from)) / way || 0)));
}
