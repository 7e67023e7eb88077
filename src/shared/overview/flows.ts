// Sums received or sent in a period, per asset and never across assets, compared with the period before.
import type { Payment } from './payment.ts';
import { daysBack } from './balanceLine.ts';
import { isAmount } from '#src/shared/amount.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { sum } from '#src/shared/money.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { compareWords } from '#src/shared/text.ts';
import { dateOf, daysBefore, dayStart, isPlausibleTime, type Zone } from '#src/shared/time.ts';

/** A number of days that ends today, and as many days before; Unix seconds, `end` excluded. */
export interface FlowPeriod {
  days: readonly string[];
  start: number;
  end: number;
  /** Ends as far into its last day as today is, so that the two are comparable. */
  before: { start: number; end: number };
}

export function periodOf(now: number, zone: Zone, count: number): FlowPeriod {
  const today = dateOf(now, zone);
  const days = daysBack(today, count, null, zone);
  const startOf = (day: string): number => dayStart(day, zone) ?? now;
  const start = startOf(days[0] ?? today);
  const from = startOf(daysBefore(today, 2 * count - 1));
  const end = startOf(daysBefore(today, -1));
  // By the time of day, since a day in between may have 23 or 25 hours.
  const until = startOf(daysBefore(today, count)) + (now - startOf(today)) + 1;
  return { days, start, end, before: { start: from, end: Math.min(start, until) } };
}

/** The period's days of which every payment is loaded, and today. `reached`: how far back loading came; null: to the end. */
export function loadedDaysOf({ days, start }: FlowPeriod, reached: number | null, zone: Zone): readonly string[] {
  if (reached === null || reached < start) return days;
  const from = dateOf(reached, zone);
  return days.filter((day, at) => day > from || at === days.length - 1);
}

type ByStatus = ReturnType<typeof byStatus>[number];

export interface Flow {
  asset: string | null;
  /** The exact sum of completed payments. */
  sum: string;
  count: number;
  /** The sum of the days before; null if some row of either period can't be added. */
  before: string | null;
  /** Counts of completed payments by status, and below of the others: a list filters by one status at a time. */
  done: ByStatus[];
  others: ByStatus[];
  /** Number of completed rows without a readable amount, which are not in the sum. */
  unreadable: number;
  /** Number of completed rows without a readable time: each may belong to the period, and none is in these figures. */
  untimed: number;
}

/** The given assets in their order, and every other asset with payments in either period. */
export function flowsOf(payments: readonly Payment[], period: FlowPeriod, assets: readonly string[]): Flow[] {
  const found = groupBy(payments, ({ asset }) => asset);
  const further = [...found.keys()].filter((asset) => asset === null || !assets.includes(asset)).sort(compareWords);
  return [...assets, ...further].map((asset) => flowOf(asset, found.get(asset) ?? [], period));
}

function flowOf(asset: string | null, payments: readonly Payment[], period: FlowPeriod): Flow {
  const within = payments.filter((row) => isWithin(row, period));
  const done = within.filter(isDone);
  const amounts = amountsOf(done);
  const earlier = payments.filter((row) => isDone(row) && isWithin(row, period.before));
  const amountsBefore = amountsOf(earlier);
  const untimed = payments.filter((row) => isDone(row) && !isPlausibleTime(row.created_at)).length;
  const areAll = untimed === 0 && amounts.length + amountsBefore.length === done.length + earlier.length;
  return {
    asset,
    sum: sum(amounts),
    count: done.length,
    before: areAll ? sum(amountsBefore) : null,
    done: byStatus(done).sort((a, b) => compareWords(a.status, b.status)),
    others: byStatus(within.filter((row) => !isDone(row))),
    unreadable: done.length - amounts.length,
    untimed,
  };
}

function byStatus(payments: readonly Payment[]) {
  return [...groupBy(payments, ({ status }) => status)].map(([status, rows]) => ({ status, count: rows.length }));
}

export function sumsByDay(
  payments: readonly Payment[],
  asset: string | null,
  days: readonly string[],
  zone: Zone,
): string[] {
  const rows = payments.filter((row) => row.asset === asset && isDone(row) && isPlausibleTime(row.created_at));
  const byDay = groupBy(rows, ({ created_at: at }) => (isPlausibleTime(at) ? dateOf(at, zone) : ''));
  return days.map((day) => sum(amountsOf(byDay.get(day) ?? [])));
}

function isDone({ status }: Payment): boolean {
  return toneOf(status) === 'proof';
}

function isWithin({ created_at: at }: Payment, { start, end }: { start: number; end: number }): boolean {
  return isPlausibleTime(at) && at >= start && at < end;
}

function amountsOf(payments: readonly Payment[]): string[] {
  return payments.map(({ amount }) => amount).filter(isAmount);
}
