// The amounts that a recipient was paid, per asset and never across assets.
import { isAmount } from '#src/shared/amount.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { sum } from '#src/shared/money.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { dateOf, daysBefore, dayStart, isPlausibleTime, type Zone } from '#src/shared/time.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { startOf } from '#src/web/chart/calendar.ts';
import { itemOfAsset } from '#src/web/list/itemOfAsset.ts';

const MONTHS_SHOWN = 12;

export interface PaidPeriods {
  /** First days of the last twelve months, oldest first; the last of them is this month. */
  months: readonly string[];
  /** Unix seconds. */
  monthStart: number;
  yearStart: number;
  /** Start of the oldest of the twelve months; never after the start of the year. */
  since: number;
}

/** `today`: as "2026-11-26". */
export function periodsAt(today: string, zone: Zone): PaidPeriods {
  const months = [startOf(today, 'month')];
  while (months.length < MONTHS_SHOWN) months.unshift(startOf(daysBefore(months[0] ?? '', 1), 'month'));
  const unixOf = (day: string): number => dayStart(day, zone) ?? 0;
  const month = months.at(-1) ?? '';
  return {
    months,
    monthStart: unixOf(month),
    yearStart: unixOf(startOf(month, 'year')),
    since: unixOf(months[0] ?? month),
  };
}

export interface PaidSum {
  /** Exact sum of completed withdrawals with a readable amount. */
  sum: string;
  count: number;
  /** Number of completed withdrawals without a readable amount. */
  unreadable: number;
  /** Number of completed withdrawals without a readable time: each may belong to the sum's period, and none is in it. */
  untimed: number;
}

export interface AssetPaid {
  asset: string | null;
  month: PaidSum;
  year: PaidSum;
  /** The sums of the twelve months. */
  byMonth: readonly string[];
  /** Withdrawals that have neither completed nor failed. */
  inProgress: PaidSum;
}

/** The totals of the asset in the URL; by default the first. */
export function paidInAsset(totals: readonly AssetPaid[], wanted: string | null): AssetPaid | undefined {
  return itemOfAsset(totals, wanted) ?? totals[0];
}

/** Per asset, those with most payments first. */
export function paidByAsset(payments: readonly Payment[], periods: PaidPeriods, zone: Zone): AssetPaid[] {
  const groups = [...groupBy(payments, ({ asset }) => asset)].sort(([, a], [, b]) => b.length - a.length);
  return groups.map(([asset, rows]) => assetPaid(asset, rows, periods, zone));
}

function assetPaid(asset: string | null, rows: readonly Payment[], periods: PaidPeriods, zone: Zone): AssetPaid {
  const paid = rows.filter(({ status }) => toneOf(status) === 'proof');
  const untimed = paid.filter(({ created_at: at }) => !isPlausibleTime(at)).length;
  const since = (start: number): PaidSum => ({
    ...sumOf(paid.filter(({ created_at: at }) => isPlausibleTime(at) && at >= start)),
    untimed,
  });
  const months = groupBy(paid, ({ created_at: at }) => (isPlausibleTime(at) ? startOf(dateOf(at, zone), 'month') : ''));
  return {
    asset,
    month: since(periods.monthStart),
    year: since(periods.yearStart),
    byMonth: periods.months.map((month) => sumOf(months.get(month) ?? []).sum),
    inProgress: sumOf(rows.filter(({ status }) => toneOf(status) === 'motion')),
  };
}

function sumOf(payments: readonly Payment[]): PaidSum {
  const amounts = payments.map(({ amount }) => amount).filter(isAmount);
  return { sum: sum(amounts), count: payments.length, unreadable: payments.length - amounts.length, untimed: 0 };
}
