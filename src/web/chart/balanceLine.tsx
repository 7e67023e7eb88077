import type { LedgerEntryRow } from '#src/web/api/schemas.ts';
import { isAmount } from '#src/shared/amount.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { compare, subtract, sum } from '#src/shared/money.ts';
import { dateOf, daysBefore, isPlausibleTime, type Zone } from '#src/shared/time.ts';
import { dayFinder } from './calendar.ts';

/** What moved one asset on each day, by its ledger; null: an entry cannot be counted, so no balance can be. */
export function movedByDay(entries: readonly LedgerEntryRow[], zone: Zone): ReadonlyMap<string, string> | null {
  const dayOf = dayFinder(zone);
  const moves = entries.flatMap(({ amount, created_at: at }) =>
    isAmount(amount) && isPlausibleTime(at) ? [{ day: dayOf(at), amount }] : [],
  );
  if (moves.length < entries.length) return null;
  const days = groupBy(moves, ({ day }) => day);
  return new Map([...days].map(([day, moves]) => [day, sum(moves.map(({ amount }) => amount))]));
}

/** The `count` days that end today, oldest first; fewer where the ledger is not loaded so far. */
export function daysBack(today: string, count: number, reached: number | null, zone: Zone): string[] {
  const days = Array.from({ length: count }, (_, at) => daysBefore(today, count - 1 - at));
  // Of the day on which loading stopped only a part is known.
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

interface StepLineProps {
  /** 0 to 1, one for each day, oldest first. */
  heights: readonly number[];
  width: number;
  height: number;
  left?: number;
  top?: number;
  area?: boolean;
}

/** A balance from day to day: level within a day, a step where it moved. */
export function StepLine({ heights, width, height, left = 0, top = 0, area = false }: StepLineProps) {
  const pitch = (width - left) / Math.max(1, heights.length);
  const y = (part: number): number => Math.round((top + (1 - part) * (height - top)) * 100) / 100;
  const x = (at: number): number => Math.round((left + at * pitch) * 100) / 100;
  const steps = heights.map((part, at) => `${at === 0 ? `M${x(0)} ${y(part)}` : `V${y(part)}`}H${x(at + 1)}`).join('');
  return (
    <>
      {area && <path className="step-area" d={`${steps}V${height}H${left}Z`} />}
      <path className="step-line" d={steps} />
    </>
  );
}
