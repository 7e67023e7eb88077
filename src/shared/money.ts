// Arithmetic on amounts; the only file that imports the decimal library. Every operand is checked first, because the
// library accepts "0x10", "1_000" and "Infinity".
import { Decimal } from 'decimal.js';
import { compareAmounts, isDecimal } from './amount.ts';

// The default of 20 significant digits would corrupt sums of 18-decimal amounts.
const Exact = Decimal.clone({ precision: 1000, rounding: Decimal.ROUND_HALF_UP });

function decimal(amount: string): Decimal {
  if (!isDecimal(amount)) throw new TypeError('Not an amount');
  return new Exact(amount);
}

function print(value: Decimal): string {
  return value.isZero() ? '0' : value.toFixed();
}

export function add(a: string, b: string): string {
  return print(decimal(a).plus(decimal(b)));
}

export function subtract(a: string, b: string): string {
  return print(decimal(a).minus(decimal(b)));
}

/** Exact: never rounded. */
export function multiply(a: string, b: string): string {
  return print(decimal(a).times(decimal(b)));
}

/** "0" for an empty list. */
export function sum(amounts: readonly string[]): string {
  return print(amounts.reduce((total, amount) => total.plus(decimal(amount)), new Exact(0)));
}

/** A running sum that is formatted on demand. */
export function runningSum() {
  let total = new Exact(0);
  return {
    add: (amount: string): void => void (total = total.plus(decimal(amount))),
    subtract: (amount: string): void => void (total = total.minus(decimal(amount))),
    value: (): string => print(total),
  };
}

export function compare(a: string, b: string): -1 | 0 | 1 {
  if (!isDecimal(a) || !isDecimal(b)) throw new TypeError('Not an amount');
  const order = compareAmounts(a, b);
  if (order === 0) return 0;
  return order < 0 ? -1 : 1;
}

export function equal(a: string, b: string): boolean {
  return compare(a, b) === 0;
}

/** Grid lines for a chart up to this amount: zero, one or two between, and a round number at or above it. */
export function amountGrid(most: string): string[] {
  const value = decimal(most);
  if (!value.isPositive() || value.isZero()) return ['0', '1'];
  const unit = new Exact(10).pow(value.e - 1);
  const step = ROUND.find((each) => unit.times(each).greaterThanOrEqualTo(value)) ?? 100;
  const parts = step % 3 === 0 ? 3 : 2;
  return Array.from({ length: parts + 1 }, (_, at) => print(unit.times(step).times(at).dividedBy(parts)));
}

const ROUND = [10, 12, 15, 20, 24, 30, 40, 50, 60, 80, 100];

/** The mean, rounded for display: two decimals, or four significant digits for smaller values. */
export function mean(total: string, count: number): string {
  const exact = decimal(total).dividedBy(count);
  return print(exact.abs().lessThan(1) ? exact.toSignificantDigits(4) : exact.toDecimalPlaces(2));
}

export interface Share {
  /** 0 to 100; only for the width of a bar. */
  percent: number;
  label: string;
}

/** A share as text: "42 %", "under 1 %", "over 99 %"; never rounded to 0 or 100. */
export function share(part: string, total: string): Share {
  const [p, t] = [decimal(part), decimal(total)];
  if (p.isZero()) return { percent: 0, label: '0 %' };
  if (p.isNegative() || !t.isPositive() || t.isZero()) return { percent: 0, label: 'no share' };
  const exact = p.times(100).dividedBy(t);
  const percent = Math.min(100, exact.toNumber());
  if (exact.greaterThan(100)) return { percent, label: 'over 100 %' };
  if (exact.equals(100)) return { percent, label: '100 %' };
  if (exact.lessThan(1)) return { percent, label: 'under 1 %' };
  if (exact.greaterThan(99)) return { percent, label: 'over 99 %' };
  return { percent, label: `${exact.toFixed(0)} %` };
}

/** How an amount compares with an earlier one. `percent`: "10 %", "under 1 %". */
export type AmountChange = { kind: 'none' | 'none-before' | 'many-times' } | { kind: 'more' | 'less'; percent: string };

export function changeOf(now: string, before: string): AmountChange {
  const [n, b] = [decimal(now), decimal(before)];
  if (n.equals(b)) return { kind: 'none' };
  if (!b.isPositive() || b.isZero()) return { kind: 'none-before' };
  const percent = n.minus(b).times(100).dividedBy(b);
  const kind = percent.isNegative() ? 'less' : 'more';
  const size = percent.abs();
  if (size.lessThan(1)) return { kind, percent: 'under 1 %' };
  if (size.greaterThan(999)) return { kind: 'many-times' };
  // Never round to 100 %: that would say that nothing is left.
  if (size.greaterThan(99) && size.lessThan(100)) return { kind, percent: 'over 99 %' };
  return { kind, percent: `${size.toFixed(0)} %` };
}

/** "10 % more", "no change". */
export function changeWords(change: AmountChange): string {
  switch (change.kind) {
    case 'none':
      return 'no change';
    case 'none-before':
      return 'none before';
    case 'many-times':
      return 'over 10 times as much';
    case 'more':
    case 'less':
      return `${change.percent} ${change.kind}`;
  }
}
