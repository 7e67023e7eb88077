import { isAmount } from '#src/shared/amount.ts';
import { DIGIT, integerWidth } from '#src/web/ui/Amount.tsx';

/** Widths in em. The narrowest list of movements has room for so much beside the asset and the status. */
const ROOM = 13.5;
const INTEGER_MAX = 6;

/** The value of `--int` for a list of movements: 0 if aligning the amounts at the decimal point would make one wrap. */
export function movementWidth(amounts: readonly unknown[]): string {
  const { em, css } = integerWidth(amounts);
  const decimals = amounts.map((amount) => (isAmount(amount) ? (amount.split('.')[1] ?? '').length : 0));
  return em > INTEGER_MAX || em + Math.max(0, ...decimals) * DIGIT > ROOM ? '0' : css;
}
