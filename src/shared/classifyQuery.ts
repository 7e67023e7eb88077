import { base64urlnopad, hex } from '@scure/base';
import { isAmount } from './amount.ts';

// Guesses from the shape of a pasted text what it may be. Only the service knows whether it exists.

export type QueryKind = (typeof PREFIXES)[number][1] | 'key';

const PREFIXES = [
  ['dep_', 'deposit'],
  ['wd_', 'withdrawal'],
  ['op_', 'operation'],
  ['req_', 'request'],
  ['whd_', 'delivery'],
  ['le_', 'entry'],
] as const;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Maximum length of the Find field. */
const LONGEST = 2000;

/**
 * Strips what gets copied along with a text: direction marks, white space, quotes, brackets, and punctuation after a word.
 * Punctuation after a number stays, as it separates two numbers.
 */
export function plainText(pasted: string): string {
  return pasted
    .slice(0, LONGEST)
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\s"“”«»<>()[\]{}`*|]+|(?<!\w)['‘’]+|['‘’]+(?!\w)/gu, ' ')
    .replace(/(?<!\d)[,;:!?.]+(?=\s|$)|[,;:!?.\s]+$/g, '')
    .replace(/ +/g, ' ')
    .trim();
}

/** A word, possibly after a label, whose punctuation is part of it: TON's raw and friendly addresses, a base64 hash. */
const MARKED = /^(?:[a-z]+[:=])?(-?\d:[0-9a-f]{64}|[EU][Qf][\w+/-]{46}|[\w+/-]{43}=?)[,;:!?.]*$/i;

/** Words of a text that look like ids, keys, addresses or hashes, each once. */
export function identifiersIn(text: string): string[] {
  const found = text.split(/\s+/).flatMap((word) => {
    const [, marked] = MARKED.exec(word) ?? [];
    return marked === undefined ? plainIdentifiersIn(word) : [marked];
  });
  return [...new Set(found)];
}

function plainIdentifiersIn(word: string): string[] {
  return word
    .split(/[,;:=?!#&@~]+/)
    .flatMap((part) => (classifyQuery(part) === null ? part.split('/') : part))
    .map((part) => part.replace(/\.+$/, '').replace(/^_{1,3}(.+?)_{1,3}$/, '$1'))
    .filter((part) => classifyQuery(part) !== null || /^[0-9a-z]{26,}$/i.test(part));
}

/** What a complete id or key refers to, by its shape; null for anything else, including clipped ids ("dep_9fK…x7Qd"). */
export function classifyQuery(text: string): QueryKind | null {
  if (/\s|…|\.{3}/.test(text)) return null;
  const [, kind = null] = PREFIXES.find(([prefix]) => text.startsWith(prefix) && text.length > prefix.length) ?? [];
  return UUID.test(text) ? 'key' : kind;
}

/**
 * Whether a field's value is the text searched for. Hex and bech32 match in either case, long hex also without its 0x,
 * and a hash matches in hex and base64.
 */
export function isSame(value: unknown, text: string): boolean {
  if (typeof value !== 'string') return false;
  if (Math.abs(value.length - text.length) <= 2 && bare(value) === bare(text)) return true;
  const hash = hashIn(text);
  return hash !== null && hashIn(value) === hash;
}

/** A 32-byte hash as hex, from hex or either base64 alphabet; null if it isn't one. */
function hashIn(text: string): string | null {
  if (text.length < 43 || text.length > 66) return null;
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text) ?? [];
  if (digits !== undefined) return digits.toLowerCase();
  const [, letters] = /^([\w+/-]{43})=?$/.exec(text) ?? [];
  try {
    return letters === undefined
      ? null
      : hex.encode(base64urlnopad.decode(letters.replaceAll('+', '-').replaceAll('/', '_')));
  } catch {
    return null;
  }
}

const HASH = /^(?:(?:0x)?[0-9a-f]{64}|[1-9a-hj-np-z]{80,})$/i;

/** Hex of 32 bytes, or a signature in base58; an address is shorter. Base64 can't be distinguished from an id. */
export function isTransactionHash(text: string): boolean {
  return HASH.test(text);
}

/** Shorter parts of an id, hash or address match too many. */
const LEAST_PART = 6;

/** Whether the text is part of a value or its clipped form ("dep_9fK…x7Qd"). */
export function isPart(value: unknown, text: string): boolean {
  const part = text.toLowerCase().replace(/^0x/, '');
  if (typeof value !== 'string' || part.replace(/^[a-z]+_/, '').length < LEAST_PART) return false;
  const whole = value.toLowerCase().replace(/^0x/, '');
  const [head = '', tail] = part.split(/…|\.{3}/);
  if (tail === undefined) return whole.includes(part);
  return head.length + tail.length >= LEAST_PART && whole.startsWith(head) && whole.endsWith(tail);
}

function bare(text: string): string {
  return text.toLowerCase().replace(/^0x(?=[0-9a-f]{40,}$)/, '');
}

export interface AmountQuery {
  amount: string;
  /** Null for any asset. */
  asset: string | null;
}

/** A space counts only between thousands: elsewhere it separates two numbers. */
const NUMBER = String.raw`(\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?|[\d.,'’]*\d)`;
/** The ".e" is for bridged tokens such as "USDC.e". */
const CODE = String.raw`([a-z][a-z0-9]{1,11}(?:\.e)?)`;
// Allows the sign that the dashboard shows before a movement.
const AFTER = new RegExp(String.raw`^(?!0x)[~≈+−-]*[$€£]?${NUMBER}\s*(?:[$€£]|${CODE})?$`, 'i');
const BEFORE = new RegExp(String.raw`^${CODE}\s+[~≈+−-]*${NUMBER}$`, 'i');

/** "0.5", "0.5 ETH", "eth 0.5", "−1,250.50 USDT", "~$480"; null for anything else. */
export function amountQuery(text: string): AmountQuery | null {
  const after = AFTER.exec(text);
  const before = BEFORE.exec(text);
  const amount = plainAmount(after?.[1] ?? before?.[2] ?? '');
  return amount === null ? null : { amount, asset: after?.[2] ?? before?.[1] ?? null };
}

/** "1.250,50" and "1.250.000". */
const DOTS = /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+|\.\d{3})$/;

/** A comma separates thousands if three digits follow each and there is no leading 0; otherwise it is the decimal comma. */
export function plainAmount(typed: string): string | null {
  const bare = typed.replace(/['’\s]/g, '');
  const text = DOTS.test(bare) ? bare.replaceAll('.', '').replace(',', '.') : bare;
  const grouped = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text);
  const plain = (grouped ? text.replaceAll(',', '') : text.replace(',', '.')).replace(/^\./, '0.');
  return isAmount(plain) ? plain : null;
}
