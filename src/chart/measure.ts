import { amountGrid, mean } from '#src/lib/money.ts';
import { sum } from '#src/lib/money.ts';
import { compareAmounts } from '#src/lib/amount.ts';
import type { DayRange } from '#src/list/createdRange.ts';
import { type Bin, gridOf } from './bins.ts';
import type { Counted, Tally } from './counted.ts';
import { tallyOf } from './sums.ts';

/** What the strokes stand for: amounts of one asset, or how many rows. */
export type Measure = { of: 'amount'; asset: string } | { of: 'count' };

/** Of a bin what is drawn, as decimal strings: the stroke, and the red cap on it. */
export interface Stroke {
  done: string;
  failed: string;
}

export interface Measured {
  strokes: readonly Stroke[];
  grid: readonly string[];
  /** Of all bins. */
  total: Tally;
  /** About, over the bins that are whole; null: there is none. */
  mean: string | null;
}

export function measure(counted: Counted, bins: readonly Bin[], span: DayRange, what: Measure): Measured {
  const asset = what.of === 'amount' ? what.asset : null;
  const valueOf = ({ rows, sum: amount }: Tally['done']): string => (what.of === 'amount' ? amount : String(rows));
  const strokes = bins.map((bin): Stroke => {
    const { done, failed } = tallyOf(counted, asset, bin);
    return { done: valueOf(done), failed: valueOf(failed) };
  });
  const most = strokes.reduce((top, { done }) => (compareAmounts(done, top) > 0 ? done : top), '0');
  const whole = strokes.filter((_, at) => bins[at]?.state === 'read' && !bins[at].now);
  return {
    strokes,
    grid: what.of === 'amount' ? amountGrid(most) : gridOf(Math.max(0, ...bins.map(({ rows }) => rows))).map(String),
    total: tallyOf(counted, asset, span),
    mean: whole.length === 0 ? null : mean(sum(whole.map(({ done }) => done)), whole.length),
  };
}
