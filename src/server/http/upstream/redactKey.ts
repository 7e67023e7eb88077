import type { Readable, Writable } from 'node:stream';

// A service may echo the API key in a response. The key must neither be stored nor reach a browser.

/** Replaces the key in stored text. */
const LABEL = '[API key]';
/** A shorter key could be part of an amount or a word. */
const SHORTEST = 8;
const ASTERISK = 0x2a;

/** An escaped ASCII character in JSON (also JSON in a JSON string), a URL or HTML. */
const ESCAPE =
  /(?:\\{1,7}(?:u00|x)|%(?:25){0,3})(?<hex>[0-9a-f]{2})|&#(?:0{0,4}(?<decimal>\d{2,3})|x0{0,4}(?<html>[0-9a-f]{2}));|\\{1,7}(?<plain>["'/\\])/iy;
/** The beginning of an escape, at the end of a text that continues. */
const ESCAPE_BEGUN =
  /^(?:\\{1,7}(?:u0{0,2}[0-9a-f]?|x[0-9a-f]?)?|%(?:25){0,3}[0-9a-f]?|&(?:#(?:\d{0,7}|x[0-9a-f]{0,6})?)?)$/i;
const LONGEST_ESCAPE = 16;

interface KeyMatches {
  /** Start and end of each occurrence. */
  spans: [number, number][];
  /** Start of a key cut off by the end of the text, or the text's length. */
  open: number;
}

function isLongEnough(apiKey: string): boolean {
  return apiKey.length >= SHORTEST;
}

function escapeAt(text: string, at: number): { character: string; end: number } | null {
  ESCAPE.lastIndex = at;
  const groups = ESCAPE.exec(text)?.groups;
  if (groups === undefined) return null;
  const { hex, decimal, html, plain } = groups;
  const code = decimal === undefined ? Number.parseInt(hex ?? html ?? '', 16) : Number(decimal);
  return { character: plain ?? String.fromCharCode(code), end: ESCAPE.lastIndex };
}

/** The end of the key that starts at `start`; 'open' if the text ends before the key; null if no key starts there. */
function spelledFrom(text: string, start: number, key: string): number | 'open' | null {
  let at = start;
  for (const character of key) {
    if (at === text.length) return 'open';
    const next = text.charAt(at);
    const isEscape = next === '\\' || next === '%' || next === '&';
    const escape = isEscape ? escapeAt(text, at) : null;
    if (escape?.character === character) at = escape.end;
    else if (isEscape && text.length - at <= LONGEST_ESCAPE && ESCAPE_BEGUN.test(text.slice(at))) return 'open';
    else if (next === character) at += 1;
    else return null;
  }
  return at;
}

function findKey(text: string, key: string): KeyMatches {
  const spans: KeyMatches['spans'] = [];
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + key.length))
    spans.push([at, at + key.length]);
  let open = text.length;
  // An unescaped key that is cut off at the end.
  const [first = ''] = key;
  for (
    let at = text.indexOf(first, text.length - key.length + 1);
    at !== -1 && open > at;
    at = text.indexOf(first, at + 1)
  )
    if (key.startsWith(text.slice(at))) open = at;
  // Fast path: most responses escape nothing.
  if (!['\\', '%', '&'].some((escape) => text.includes(escape))) return { spans, open };
  const starts = new RegExp(`[${first.replace(/[\\\]^-]/, String.raw`\$&`)}\\\\%&]`, 'g');
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    const end = spelledFrom(text, match.index, key);
    if (end === 'open') open = Math.min(open, match.index);
    else if (end !== null) {
      spans.push([match.index, end]);
      starts.lastIndex = end;
    }
  }
  return { spans, open };
}

/** The text or header without the key; if it was cut off, also without the beginning of a key at its end. */
export function redactKey(text: string, apiKey: string, complete = true): string {
  if (!isLongEnough(apiKey)) return text;
  const { spans, open } = findKey(text, apiKey);
  let made = '';
  let from = 0;
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (start >= from) made += text.slice(from, start) + LABEL;
    from = Math.max(from, end);
  }
  return made + text.slice(from, complete ? text.length : Math.max(from, open));
}

/** Overwrites the key with asterisks in place, keeping all lengths. Returns the start of a cut-off key. */
export function maskKey(bytes: Buffer, apiKey: string): number {
  if (!isLongEnough(apiKey)) return bytes.length;
  const { spans, open } = findKey(bytes.toString('latin1'), apiKey);
  for (const [start, end] of spans) bytes.fill(ASTERISK, start, end);
  return open;
}

/** Pipes a body with the key masked, holding back only a possible beginning of the key. Not a Transform, which is slower. */
export function pipeMasked(source: Readable, target: Writable, apiKey: string): void {
  let pending: Buffer = Buffer.alloc(0);
  source.on('data', (chunk: Buffer) => {
    const bytes = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
    const open = maskKey(bytes, apiKey);
    pending = bytes.subarray(open);
    if (open > 0 && !target.write(bytes.subarray(0, open))) source.pause();
  });
  target.on('drain', () => source.resume());
  source.on('end', () => (pending.length > 0 ? target.end(pending) : target.end()));
}
