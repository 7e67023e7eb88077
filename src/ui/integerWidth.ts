import { amountParts, isAmount } from '#src/lib/amount.ts';

declare module 'react' {
  interface CSSProperties {
    /** Width of the integer part of the amounts in a column (amount.css). */
    '--int'?: string;
    /** Width of the integer part of one amount. */
    '--own'?: string;
  }
}

/** Widths in em of the figures of both fonts: see --digit in tokens.css; marks at their widest weight, rounded up. */
const DIGIT = 0.632;
const MARK = 0.34;
const STEP = 0.6;
/** A column gives no more room than this; longer integer parts lose the alignment, never a digit. */
const WIDEST = 24;

/**
 * The value of `--int` for a column: wide enough for the longest integer part given, in steps.
 */
export function integerWidth(values: readonly unknown[], atMost = WIDEST): { em: number; css: string } {
  let widest = DIGIT;
  for (const value of values) {
    if (!isAmount(value)) continue;
    const { sign, integer } = amountParts(value);
    const digits = integer.replaceAll(/\D/g, '').length;
    const marks = integer.length - digits;
    widest = Math.max(widest, (digits + sign.length) * DIGIT + marks * MARK);
  }
  const em = Math.min(Math.ceil(widest / STEP) * STEP, atMost);
  return { em, css: `${em.toFixed(2)}em` };
}

/** A comma of the sans at weight 500, a minus and a plus at any. */
const COMMA = 0.235;
const SIGNS: Readonly<Record<string, number>> = { '-': 0.366, '+': 0.601 };

/** The width of an integer part as it is drawn: the value of `--own`. */
export function ownWidth(sign: string, integer: string): string {
  const digits = integer.replaceAll(/\D/g, '').length;
  return `${((SIGNS[sign] ?? 0) + digits * DIGIT + (integer.length - digits) * COMMA).toFixed(3)}em`;
}
