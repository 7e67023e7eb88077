import { amountParts, isAmount, isNegative } from '#src/shared/amount.ts';
import { visibleCode } from '#src/shared/text.ts';
import { DIGIT, integerWidth } from '#src/web/ui/Amount.tsx';
import type { RowIndex } from './rowIndex.ts';

/** Widths in em of the parts of a column's amounts. */
export interface AmountWidth {
  /** The part before the decimal point. */
  integer: number;
  /** The part from the decimal point on, including the asset. */
  rest: number;
  /** Aligned characters from the decimal point on. */
  decimals: number;
}

/** Width in em of a letter of an asset code, which has 13/14 of the font size. */
const LETTER = 0.66;
const STEP = 1.2;
/** Longer fractions are not aligned, because that would move all other amounts far from their asset codes. */
const ALIGNED = 10;
/** Longer amounts do not fit a row; see amountCell in listCells.tsx. */
export const AMOUNT_MAX = 90;

/** An asset code as drawn beside an amount, shortened to leave room for the digits. */
export function codeOf(asset: string): string {
  const code = visibleCode(asset.slice(0, 13));
  return code.length > 12 ? `${code.slice(0, 11)}…` : code;
}

interface Money {
  asset: string | null;
}
type AmountOf<T> = (row: T) => unknown;

const LEAST: AmountWidth = { integer: 4.8, rest: 9.6, decimals: 0 };

/** The width of the longest amount of these rows, rounded up in steps. */
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
  // Codes are aligned, too, so the longest fraction and the longest code count even if they are in different rows.
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

/** The amount with a minus sign, for measuring a signed amount. */
export function withSign(amount: unknown): unknown {
  return isAmount(amount) && !isNegative(amount) ? `-${amount}` : amount;
}
