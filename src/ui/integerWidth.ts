import { amountParts, isAmount } from '#src/lib/amount.ts';

/** Widths in em of the figures of both fonts: see --digit in tokens.css; marks at their widest weight, rounded up. */
const DIGIT = 0.632;
const MARK = 0.34;
const STEP = 0.6;
const WIDEST = 24;

/**
 * The value of `--int` for a column: wide enough for the longest integer part given, in steps.
 * `atLeast` is the width in use, which never shrinks while a list is open.
 */
export function integerWidth(values: readonly unknown[], atLeast = 0): { em: number; css: string } {
  let widest = DIGIT;
  for (const value of values) {
    if (!isAmount(value)) continue;
    const { sign, integer } = amountParts(value);
    const digits = integer.replaceAll(/\D/g, '').length;
    const marks = integer.length - digits;
    widest = Math.max(widest, (digits + sign.length) * DIGIT + marks * MARK);
  }
  const em = Math.max(atLeast, Math.min(Math.ceil(widest / STEP) * STEP, WIDEST));
  return { em, css: `${em.toFixed(2)}em` };
}
