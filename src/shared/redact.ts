/** Replaces whatever was removed from a text. */
export const LEFT_OUT = '[left out]';
const TEXT_MAX = 300;

const ID = /^(?:acct|ch|cur|dep|le|lt|op|req|swp|wd|whd)_/;
const KEY = /(?<![A-Za-z\d])(?:sk|pk|rk|ck|whsec)[_-][\w-]{4,}|\b(?:key|api)[_-][\w-]{6,}/i;
const LONG = 20;
const UNBROKEN = /[A-Za-z\d]{25}/;

/** Whether a word is an address, a hash or a key, or joined to one. */
function isSecret(word: string): boolean {
  if (/^[\d_-]+$/.test(word)) return false;
  if (ID.test(word)) return KEY.test(word) || /_0x[\da-f]{4}/i.test(word);
  return (
    KEY.test(word) || UNBROKEN.test(word) || ((word.length >= LONG || /^[A-Za-z]{16,}$/.test(word)) && !isPlain(word))
  );
}

/** Whether a word is plain text such as X-RateLimit-Remaining or webhook_delivery_in_progress. */
function isPlain(word: string): boolean {
  return word.split(/[_-]/).every((part) => /^(?:[A-Z]?[a-z]*(?:[A-Z][a-z]{2,})*|[A-Z]+)$/.test(part));
}

/** A secret after its name: api_key=…, or Bearer and a word with a digit. Ids are exempt. */
const NAMED = new RegExp(
  String.raw`(?<![\w-])((?:[\w-]*(?:bearer|key|password|secret|token)["'\\]*(?:\s*[:=]\s*|\s+(?=\S*\d))["'\\]*){1,3})(?!${ID.source.slice(1)})[^\s"'\\,;&<>()[\]]{6,}`,
  'gi',
);
/** Four or more groups of four, as addresses are displayed, if at least two groups close together contain a digit. */
const FOURS = /\b(?=[a-z]*\d)(?=\w{4}(?:\s\w{4}\b){3})\w{4}(?:\s\w{4}){0,2}?\s(?=[a-z]*\d)\w{4}\b(?:\s\w{4}\b)*/gi;

/** Matches any of the words, in lower or upper case. */
const anyCase = (words: string) =>
  words.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`).replaceAll(' ', '|');
const MONEY = `(?:${anyCase('btc eth usdt usdc sol ltc doge trx xrp bnb ada dai eur usd gbp chf bitcoin ether dollar euro')})s?`;
const CODE = String.raw`(?!(?:AM|BAD|GET|GMT|NOT|OK|PM|POST|UTC)\b)(?=\d*[A-Z])[A-Z\d]{2,10}`;
const ASSET = String.raw`[\s(]*(?:(?:${CODE}|${MONEY})(?!\w)|\p{Sc})`;
const NAME = `(?:${anyCase('amount balance fee price sum total')})s?(?: of| is)?`;
const BEFORE = String.raw`(?:(?<![A-Za-z\d])${MONEY}|${NAME}|\p{Sc})[\s"'\\:=(+−-]*`;
const CLOCK = String.raw`\d\d?:\d\d(?::\d\d(?:\.\d+)?)?`;
const MONTH = String.raw`\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*`;
/** Digits that aren't an amount: an HTTP status, a date, a time, a version, a size, a reference such as T-48211 or 2026-117. */
const OTHER_NUMBERS = [
  String.raw`\bHTTP(?:/[\d.]+)? [1-5]\d\d`,
  String.raw`\d{4}-\d\d-\d\d(?:[T ]${CLOCK}Z?)?`,
  String.raw`20\d\d[-/]\d{1,6}(?!${ASSET})`,
  CLOCK,
  String.raw`\d\d?[./]\d\d?[./]20\d\d`,
  String.raw`(?:\d\d? )?${MONTH} (?:\d\d?, )?20\d\d(?!${ASSET})`,
  String.raw`#\d+(?!\w|${ASSET})`,
  String.raw`\bv\d{1,3}(?:\.\d{1,3}){1,3}`,
  String.raw`\d+(?:\.\d+)? ?(?:ms|s|min|h|%|bytes|kB)`,
  String.raw`(?<![\w-])(?!${MONEY}-?\d)[A-Za-z][\w-]*`,
].join('|');
const NUMBER = String.raw`\p{Nd}+(?:[.,'’_٫٬\u00A0\u202F]\p{Nd}+| \p{Nd}{3}(?!\p{Nd}))*(?:[eE][+-]?\d+(?!\w))?`;
const DIGITS = new RegExp(
  String.raw`((?:${OTHER_NUMBERS})(?!\w|[.,]?\p{Nd}))|(?=\p{Nd})(?<=(${BEFORE})?)${NUMBER}(?=(${ASSET})?)`,
  'gu',
);
const AMOUNT = /\p{Nd}{4}|\p{Nd}\P{Nd}+\p{Nd}/u;

/** Removes whatever looks like an amount, an address, a hash or a key, and clips the text to `most` characters. */
export function redact(text: string, most = TEXT_MAX): string {
  const redacted = text
    .replace(NAMED, `$1${LEFT_OUT}`)
    .replace(FOURS, LEFT_OUT)
    .replace(/[\w-]+/g, (word) => (isSecret(word) ? LEFT_OUT : word))
    .replace(DIGITS, (found, kept?: string, before?: string, asset?: string) =>
      kept === undefined && (before !== undefined || asset !== undefined || AMOUNT.test(found)) ? LEFT_OUT : found,
    );
  return redacted.length > most ? `${redacted.slice(0, most)}…` : redacted;
}

/** As redact(), for a value that may be an id of digits alone or a UUID. */
export function redactId(text: string): string {
  return /^(?:\d{1,19}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.test(text) ? text : redact(text);
}
