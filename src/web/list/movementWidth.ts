import { isAmount } from '#src/shared/amount.ts';
import { DIGIT, integerWidth } from '#src/web/ui/Amount.tsx';

/** The width for an amount in the narrowest list of movements, and for its integer digits, in em. */
const AMOUNT_WIDTH_MAX = 13.5;
const INTEGER_WIDTH_MAX = 6;

/** The value of `--int` for a list of movements: 0 if aligning the amounts at the decimal point would make one wrap. */
export function movementWidth(amounts: readonly unknown[]): string {
  const { em, css } = integerWidth(amounts);
  const decimals = amounts.map((amount) => (isAmount(amount) ? (amount.split('.')[1] ?? '').length : 0));
  return em > INTEGER_WIDTH_MAX || em + Math.max(0, ...decimals) * DIGIT > AMOUNT_WIDTH_MAX ? '0' : css;
}
