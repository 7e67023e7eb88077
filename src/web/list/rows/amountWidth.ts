import { amountParts, isAmount, isNegative } from '#src/shared/amount.ts';
import { visibleCode } from '#src/shared/text.ts';
import { DIGIT, integerWidth } from '#src/web/ui/Amount.tsx';
import type { RowIndex } from './rowIndex.ts';

/** Widths in em of the parts of a column's amounts. */
export interface AmountWidth {
  /** Up to the point. */
  integer: number;
  /** From the point on, asset included. */
  rest: number;
  /** Characters from the point on that are aligned. */
  decimals: number;
}

/** A letter of an asset code at 13/14 of the size. */
const LETTER = 0.66;
const STEP = 1.2;
/** Longer fractions start further left: aligning them would move all others far from their codes. */
const ALIGNED = 10;
/** Longer amounts do not fit a row; see amountCell in listCells.tsx. */
export const AMOUNT_MAX = 90;

/** An asset code as drawn beside an amount: shortened, so that it does not push digits out. */
export function codeOf(asset: string): string {
  const code = visibleCode(asset.slice(0, 13));
  return code.length > 12 ? `${code.slice(0, 11)}…` : code;
}

interface Money {
  asset: string | null;
}
type AmountOf<T> = (row: T) => unknown;

const LEAST: AmountWidth = { integer: 4.8, rest: 9.6, decimals: 0 };

/** Room for the longest amount of these rows, in steps. */
export function amountWidth<T extends Money>(
  rows: readonly T[],
  amountOf: AmountOf<T>,
  least: AmountWidth = LEAST,
): AmountWidth {
  let [letters, digits] = [0, 0];
  const amounts: string[] = [];
  for (const row of rows) {
    const amount = amountOf(row);
    if (!isAmount(amount) || amount.length > AMOUNT_MAX) continue;
    amounts.push(amount);
    const { fraction, zeros } = amountParts(amount);
    letters = Math.max(letters, codeOf(row.asset ?? '').length + 1);
    digits = Math.max(digits, fraction.length + zeros.length);
  }
  // Codes align as well, so the longest of both may meet in no row.
  const rest = Math.ceil((digits * DIGIT + letters * LETTER) / STEP) * STEP;
  return {
    integer: Math.max(least.integer, integerWidth(amounts, Infinity).em),
    rest: Math.max(least.rest, rest),
    decimals: Math.max(least.decimals, Math.min(digits, ALIGNED)),
  };
}

/** Measures a list as it grows: each row once, and the width never shrinks while the list is open. */
export function amountMeasurer<T extends Money>(): (index: RowIndex<T>, amountOf: AmountOf<T>) => AmountWidth {
  let measured = { list: null as object | null, count: 0, width: LEAST };
  return ({ positions, rows, count }, amountOf) => {
    if (measured.list !== positions) measured = { list: positions, count: 0, width: LEAST };
    // The same object while nothing was added, so the layout is computed once.
    if (measured.count < count) {
      const width = amountWidth(rows.slice(measured.count, count), amountOf, measured.width);
      measured = { list: positions, count, width };
    }
    return measured.width;
  };
}

/** An amount as wide as this one with its sign. */
export function withSign(amount: unknown): unknown {
  return isAmount(amount) && !isNegative(amount) ? `-${amount}` : amount;
}
