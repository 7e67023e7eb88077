import { isAmount, isZero } from './amount.ts';

export type TypedAmount = { ok: true; amount: string } | { ok: false; reason: string };

/** In this order: the first that matches names what is wrong. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'Enter an amount.'],
  [/[\p{Cc}\p{Cf}\p{Cs}]/u, 'There is an invisible character in it. Type the amount by hand.'],
  [/\s/u, 'There is a space in it. Type the amount without spaces.'],
  [/(?![0-9])\p{Nd}/u, 'Use the digits 0 to 9 of a plain keyboard.'],
  [/^\+/, 'Leave out the plus sign.'],
  [/^[-\u2010-\u2015\u2212\uFF0D]/u, 'An amount to send has no minus sign.'],
  [/^0x/i, 'This is a hexadecimal number. Type a decimal amount.'],
  [/^[\d.,]*\d[\d.,]*e[-+]?\d*$/i, 'Write the amount out, without an exponent.'],
  [/[_'’]/, 'Leave out the marks between thousands.'],
  [
    /,/,
    'Is the comma there for thousands or for decimals? Type nothing between thousands, and a point before the decimals.',
  ],
  [/\..*\./, 'Are the points there for thousands? Type nothing between thousands, and one point before the decimals.'],
  [/^\.\d+$/, 'Put a 0 before the point.'],
  [/^\d+\.$/, 'There are no digits after the point.'],
  [/[^\d.]/, 'Use only digits and one point.'],
  [/^0\d/, 'Leave out the zeros in front.'],
];

/** What a person typed as an amount to send, digit for digit; refused with the reason where it could mean something else. */
export function typedAmount(text: string): TypedAmount {
  for (const [fault, reason] of FAULTS) if (fault.test(text)) return { ok: false, reason };
  if (text.length > 200) return { ok: false, reason: 'This is longer than any amount.' };
  if (!isAmount(text)) return { ok: false, reason: 'Use only digits and one point.' };
  if (isZero(text)) return { ok: false, reason: 'The amount must be more than zero.' };
  return { ok: true, amount: text };
}
