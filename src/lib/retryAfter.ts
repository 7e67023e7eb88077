const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

/** Seconds that a Retry-After header asks for, given as seconds or as an HTTP date; null when it is missing or junk. */
export function parseRetryAfter(header: string | null, nowUnixMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const at = parseHttpDate(text);
  return at === null ? null : Math.max(0, Math.ceil((at - nowUnixMs) / 1000));
}

/** Unix milliseconds of an HTTP date; null when it is junk. */
export function parseHttpDate(text: string): number | null {
  // Date.parse alone would take "-5" for a date.
  if (!HTTP_DATE.test(text)) return null;
  const at = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}
