import { formatAmount, isAmount, isZero } from './amount.ts';

/** `amount`: a plain decimal string, which is what is sent. */
export type TypedAmount = { ok: true; amount: string } | { ok: false; reason: string };

/** Order matters: the first match is the reason shown. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'Enter an amount.'],
  [/[\p{Cc}\p{Cf}\p{Cs}]/u, 'It contains an invisible character. Type the amount instead of pasting.'],
  [/\s/u, 'There is a space in it. Type the amount without spaces.'],
  [/(?![0-9])\p{Nd}/u, 'Use the digits 0 to 9 of a plain keyboard.'],
  [/^\+/, 'Leave out the plus sign.'],
  [/^[-\u2010-\u2015\u2212\uFF0D]/u, 'Amount must be positive: leave out the minus sign.'],
  [/^0x/i, 'This is a hexadecimal number. Type a decimal amount.'],
  [/^[\d.,]*\d[\d.,]*e[-+]?\d*$/i, 'Write the amount out, without an exponent.'],
  [/[_'’]/, 'Leave out the marks between thousands.'],
  [/,/, 'The comma can’t stay: type nothing between thousands, and a point before the decimals.'],
  [/\..*\./, 'Are the points there for thousands? Type nothing between thousands, and one point before the decimals.'],
  [/^\.\d+$/, 'Put a 0 before the point.'],
  [/^\d+\.$/, 'There are no digits after the point.'],
  [/[^\d.]/, 'Use only digits and one point.'],
  [/^0\d/, 'Remove the leading zeros.'],
];

/** Commas between thousands and a decimal point: unambiguous. */
const COMMA_THOUSANDS = /^[1-9]\d{0,2}(?:,\d{3})+\.\d+$/;
const SPACED_THOUSANDS = /^[1-9]\d{0,2}(?:[ \u00A0\u202F]\d{3})+[.,]\d+$/;
const DECIMAL_COMMA = /^(?:0|[1-9]\d*),\d+$/;
/** A single comma that may separate thousands or decimals. */
const UNDECIDED = /^([1-9]\d{0,2}),(\d{3})$/;

/** Unambiguous text as a plain decimal; any other text unchanged. */
function plainDecimal(text: string): string {
  if (COMMA_THOUSANDS.test(text)) return text.replaceAll(',', '');
  const isOneWay = SPACED_THOUSANDS.test(text) || (DECIMAL_COMMA.test(text) && !UNDECIDED.test(text));
  return isOneWay ? text.replace(/[ \u00A0\u202F]/g, '').replace(',', '.') : text;
}

/** Parses a typed amount and keeps every digit. Ambiguous input is rejected with the reason. */
export function typedAmount(text: string): TypedAmount {
  const trimmed = text.trim();
  if (trimmed.length > 200) return { ok: false, reason: 'This is longer than any amount.' };
  const amount = plainDecimal(trimmed);
  const ambiguous = UNDECIDED.exec(amount);
  if (ambiguous) return { ok: false, reason: whichOf(ambiguous[1] ?? '', ambiguous[2] ?? '') };
  for (const [fault, reason] of FAULTS) if (fault.test(amount)) return { ok: false, reason };
  if (!isAmount(amount)) return { ok: false, reason: 'Use only digits and one point.' };
  if (isZero(amount)) return { ok: false, reason: 'The amount must be more than zero.' };
  return { ok: true, amount };
}

function whichOf(before: string, after: string): string {
  const either = `Type ${before}${after}, or ${before}.${after} if the comma is the decimal point.`;
  return `Is ${before},${after} ${numberInWords(`${before}${after}`)}? ${either}`;
}

/** How an amount was understood; null if the field shows exactly that. */
export function readBack(text: string): string | null {
  const typed = typedAmount(text);
  if (!typed.ok) return null;
  if (typed.amount !== text.trim()) return typed.amount;
  const grouped = formatAmount(typed.amount, 'en');
  return grouped === typed.amount ? null : grouped;
}

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** "one thousand two hundred fifty" for "1250"; for 1 to 999,999. */
function numberInWords(digits: string): string {
  const thousands = digits.slice(0, -3);
  const rest = belowThousand(digits.slice(-3));
  return thousands === '' ? rest.join(' ') : [...belowThousand(thousands), 'thousand', ...rest].join(' ');
}

function belowThousand(digits: string): string[] {
  const [hundreds = 0, tens = 0, ones = 0] = Array.from(digits.padStart(3, '0'), Number);
  const small = tens === 1 ? 10 + ones : ones;
  const below = [...(tens > 1 ? [TENS[tens] ?? ''] : []), ...(small > 0 ? [ONES[small] ?? ''] : [])];
  return [...(hundreds > 0 ? [ONES[hundreds] ?? '', 'hundred'] : []), ...(below.length > 0 ? [below.join('-')] : [])];
}
