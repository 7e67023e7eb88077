import { compareAmounts } from '#src/shared/amount.ts';
import { amountGrid, mean, sum } from '#src/shared/money.ts';
import { compareWords } from '#src/shared/text.ts';
import { daysBefore, isPlausibleTime } from '#src/shared/time.ts';
import { type DayRange, daysOfBounds } from '#src/shared/createdRange.ts';
import { cutInto, startOf, type Unit } from './calendar.ts';
import { dayFinder } from '#src/shared/overview/balanceLine.ts';
import { type Counted, type Tally, tallyOf } from './counted.ts';

export interface Bin extends DayRange {
  assets: AssetRows;
  rows: number;
  /** How much of its list was read. part: the counts are "at least". unread: unknown, which is not zero. */
  state: 'read' | 'part' | 'unread';
  /** Includes the day on which it was counted, which was not over. */
  now: boolean;
  /** The filter includes only a part of its first or last day. */
  cut: boolean;
  /** All of its days are over and read, and none is missing. */
  full: boolean;
}

type AssetRows = readonly [asset: string, rows: number][];

/** The assets of these days, those with most rows first; the empty string: no asset stated. */
export function assetsByRowCount({ days }: Counted, { from, to }: DayRange): AssetRows {
  const found = new Map<string, number>();
  for (const [day, byAsset] of days) {
    if (day < from || day > to) continue;
    for (const [asset, { rows }] of byAsset) found.set(asset, (found.get(asset) ?? 0) + rows);
  }
  return [...found].sort((a, b) => b[1] - a[1] || compareWords(a[0], b[0]));
}

/** The days to show: those of the filter, else those of the list; null if no row was counted. */
export function spanOf({ filters, zone, days, far, asOf }: Counted): DayRange | null {
  if (days.size === 0) return null;
  const dayOf = dayFinder(zone);
  const { created_after: after, created_before: before } = filters;
  const first = isPlausibleTime(after) ? dayOf(after + 1) : far;
  // A filter may reach into the future, and the service may have sent rows from outside the filter.
  const bounds = [isPlausibleTime(before) ? dayOf(before - 1) : null, asOf === null ? null : dayOf(asOf)];
  const [last] = inOrder(bounds);
  const [from = ''] = inOrder([first, ...days.keys()]);
  return { from, to: inOrder([last, ...days.keys()]).at(-1) ?? from };
}

function inOrder(days: readonly (string | null | undefined)[]): string[] {
  return days.filter((day) => day != null).sort();
}

export function binsOf(counted: Counted, span: DayRange, unit: Unit): Bin[] {
  const { reached, end, zone } = counted;
  const today = counted.asOf === null ? '' : dayFinder(zone)(counted.asOf);
  const cuts = cutDays(counted);
  return cutInto(span, unit).map(({ from, to }) => {
    const assets = assetsByRowCount(counted, { from, to });
    const rows = assets.reduce((sum, [, each]) => sum + each, 0);
    const isRead = end === 'all' || (reached !== null && from > reached);
    const isPart = rows > 0 || (reached !== null && from <= reached && to >= reached);
    const next = daysBefore(to, -1);
    const isNow = from <= today && to >= today;
    const isCut = cuts.some((day) => from <= day && to >= day);
    return {
      from,
      to,
      assets,
      rows,
      state: isRead ? 'read' : isPart ? 'part' : 'unread',
      now: isNow,
      cut: isCut,
      full: isRead && !isNow && !isCut && startOf(from, unit) === from && startOf(next, unit) === next,
    };
  });
}

/** Days of which the filter includes only a part, because one of its bounds is within them. */
function cutDays({ filters, zone }: Counted): string[] {
  const { created_after: after, created_before: before } = filters;
  const whole = daysOfBounds(filters, zone);
  const dayOf = dayFinder(zone);
  return [
    ...(isPlausibleTime(after) && whole.from === '' ? [dayOf(after + 1)] : []),
    ...(isPlausibleTime(before) && whole.to === '' ? [dayOf(before - 1)] : []),
  ];
}

export type Measure = { kind: 'amount'; asset: string } | { kind: 'count' };

export type ChartMetric = ReturnType<typeof measure>;

export function measure(counted: Counted, bins: readonly Bin[], span: DayRange, what: Measure) {
  const asset = what.kind === 'amount' ? what.asset : null;
  const valueOf = ({ rows, sum: amount }: Tally['done']): string => (what.kind === 'amount' ? amount : String(rows));
  /** Heights drawn for a bin, as decimal strings: the stroke, and the red cap on it. */
  const strokes = bins.map((bin) => {
    const { done, failed } = tallyOf(counted, asset, bin);
    return { done: valueOf(done), failed: valueOf(failed) };
  });
  const most = strokes.reduce((top, { done }) => (compareAmounts(done, top) > 0 ? done : top), '0');
  const full = strokes.filter((_, at) => bins[at]?.full);
  return {
    strokes,
    grid: what.kind === 'amount' ? amountGrid(most) : amountGrid(most).filter((line) => !line.includes('.')),
    total: tallyOf(counted, asset, span),
    /** Average over the full bins; null if there are none. */
    mean: full.length === 0 ? null : mean(sum(full.map(({ done }) => done)), full.length),
  };
}
