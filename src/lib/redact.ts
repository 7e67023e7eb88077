/** Stands where something was taken out of a text. */
export const LEFT_OUT = '[left out]';
const TEXT_MAX = 300;

const ID = /^(?:acct|ch|cur|dep|le|lt|op|req|swp|wd|whd)_/;
const KEY = /\b(?:sk|pk|rk|key|api)[_-][\w-]{6,}/i;
const LONG = 20;
const UNBROKEN = /[A-Za-z\d]{25}/;

/** Whether a word is an address, a hash or a key, or joined to one. */
function isSecret(word: string): boolean {
  if (ID.test(word) || /^[\d_-]+$/.test(word)) return false;
  return KEY.test(word) || UNBROKEN.test(word) || (word.length >= LONG && !isPlain(word));
}

/** Such as Idempotency-Key or webhook_delivery_in_progress. */
function isPlain(word: string): boolean {
  return word.split(/[_-]/).every((part) => /^(?:[A-Z]?[a-z]*|[A-Z]+)$/.test(part));
}

const ASSET = String.raw`\s*(?!(?:AM|BAD|GET|GMT|NOT|OK|PM|POST|UTC)\b)(?=\d*[A-Z])[A-Z\d]{2,10}(?!\w)`;
const CLOCK = String.raw`\d\d?:\d\d(?::\d\d(?:\.\d+)?)?`;
const MONTH = String.raw`\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*`;
/** Digits that are no amount: of an HTTP status, a date, a time, a reference such as T-48211. */
const KEPT = [
  String.raw`\bHTTP(?:/[\d.]+)? [1-5]\d\d`,
  String.raw`\d{4}-\d\d-\d\d(?:[T ]${CLOCK}Z?)?`,
  CLOCK,
  String.raw`\d\d?\.\d\d?\.20\d\d`,
  String.raw`(?:\d\d? )?${MONTH} (?:\d\d?, )?20\d\d(?!${ASSET})`,
  String.raw`#\d+`,
  String.raw`(?<![\w-])[A-Za-z][\w-]*`,
].join('|');
const NUMBER = String.raw`\d+(?:[.,'’_\u00A0\u202F]\d+| \d{3}(?!\d))*`;
const DIGITS = new RegExp(String.raw`((?:${KEPT})(?!\w|[.,]\d))|${NUMBER}(?=(${ASSET})?)`, 'g');
const AMOUNT = /\d{4}|\d\D+\d/;

/** A text without what looks like an amount, an address, a hash or a key; clipped, unless it may be longer. */
export function redact(text: string, most = TEXT_MAX): string {
  const redacted = text
    .replace(/[\w-]+/g, (word) => (isSecret(word) ? LEFT_OUT : word))
    .replace(DIGITS, (found, kept?: string, asset?: string) =>
      kept === undefined && (asset !== undefined || AMOUNT.test(found)) ? LEFT_OUT : found,
    );
  return redacted.length > most ? `${redacted.slice(0, most)}…` : redacted;
}

/** The same of what may be an id of digits alone, or a UUID. */
export function redactId(text: string): string {
  return /^(?:\d{1,19}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.test(text) ? text : redact(text);
}
