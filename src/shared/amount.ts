// Amounts as text. Arithmetic is in money.ts, to keep the decimal library out of the first chunk.

import { groupDigits, userLocale } from './locale.ts';

const PATTERN = /^-?\d+(?:\.\d+)?$/;
const MAX_LENGTH = 200;
/** Sums and products of amounts may be longer than any amount. */
const RESULT_LENGTH_MAX = 1_000;

/** Whether a value is a decimal string as the contract writes them (section 1); JSON numbers are not. */
export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && PATTERN.test(value);
}

/** An amount, or what was calculated from amounts, which may be longer. */
export function isDecimal(value: string): boolean {
  return value.length <= RESULT_LENGTH_MAX && PATTERN.test(value);
}

export interface AmountParts {
  sign: '' | '−';
  /** The integer digits, grouped for the locale. */
  integer: string;
  /** "." and the digits up to the last non-zero one, or empty. */
  fraction: string;
  /** The trailing zeros as they were sent, with the "." when `fraction` is empty. */
  zeros: string;
}

/** Locales that group thousands with commas: no need to wait for an Intl formatter. */
const COMMAS = /^en(-(US|GB|CA|AU|NZ|IE))?$/;

function grouped(integer: string, locale = userLocale): string {
  // BigInt drops leading zeros, but they were sent, so they are shown.
  const lead = /^0+(?=\d)/.exec(integer)?.[0] ?? '';
  if (COMMAS.test(locale ?? '')) return lead + integer.slice(lead.length).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  // The point is always the decimal point, so a locale that groups with it gets a narrow space instead.
  return lead + groupDigits(BigInt(integer), locale).replaceAll('.', '\u202F');
}

/** The parts of an amount for display, with every digit; text that isn't an amount comes back whole as `integer`. */
export function amountParts(amount: string, locale?: string): AmountParts {
  if (!isDecimal(amount)) return { sign: '', integer: amount, fraction: '', zeros: '' };
  const negative = amount.startsWith('-');
  const [whole = '', decimals = ''] = (negative ? amount.slice(1) : amount).split('.');
  const significant = decimals.replace(/0+$/, '');
  const zeros = decimals.slice(significant.length);
  return {
    sign: negative ? '−' : '',
    integer: grouped(whole, locale),
    fraction: significant === '' ? '' : `.${significant}`,
    zeros: significant === '' && zeros !== '' ? `.${zeros}` : zeros,
  };
}

export function formatAmount(amount: string, locale?: string): string {
  const { sign, integer, fraction, zeros } = amountParts(amount, locale);
  return sign + integer + fraction + zeros;
}

export function isZero(amount: string): boolean {
  return isDecimal(amount) && !/[1-9]/.test(amount);
}

/** Whether an amount is below zero; "-0.00" isn't. */
export function isNegative(amount: string): boolean {
  return isDecimal(amount) && amount.startsWith('-') && !isZero(amount);
}

export function isPositive(amount: unknown): amount is string {
  return isAmount(amount) && !isNegative(amount) && !isZero(amount);
}

/** Compares two amounts by their digits, for sorting. */
export function compareAmounts(a: string, b: string): number {
  const [one, other] = [isNegative(a), isNegative(b)];
  if (one !== other) return one ? -1 : 1;
  return one ? compareSizes(b, a) : compareSizes(a, b);
}

function compareSizes(a: string, b: string): number {
  const [[wholeA, restA], [wholeB, restB]] = [digitsOf(a), digitsOf(b)];
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  // Digits of equal length sort as text.
  const [left, right] = [wholeA + restA, wholeB + restB];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** The digits before and after the point, without leading or trailing zeros. */
function digitsOf(amount: string): [string, string] {
  const [whole = '', rest = ''] = amount.replace('-', '').split('.');
  return [whole.replace(/^0+/, ''), rest.replace(/0+$/, '')];
}
