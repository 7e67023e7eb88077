/** Stands where something was taken out of a text. */
export const LEFT_OUT = '[left out]';
const TEXT_MAX = 300;
const AMOUNT = /\d[\d,]*\.\d+/g;
/** An address or a hash: long, and not the rest of an id such as req_…. */
const LONG_WORD = /(?<![A-Za-z0-9_])[A-Za-z0-9]{25,}/g;
const KEY = /\b(?:sk|pk|rk|key|api)[_-][\w-]{6,}/gi;

/** Words of the service without what looks like an amount, an address, a hash or a key. */
export function redact(text: string): string {
  const clipped = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  return clipped.replace(KEY, LEFT_OUT).replace(AMOUNT, LEFT_OUT).replace(LONG_WORD, LEFT_OUT);
}
