import { isExactNumber, parseExact } from './json/exactJson.ts';

export interface ServiceAnswer {
  kind: 'answer';
  status: number;
  requestId: string | null;
  /** Served from the idempotency record (4.7). */
  replayed: boolean;
  retryAfter: string | null;
  /** The service's clock, Unix seconds; null when unreadable. */
  date: number | null;
  contentType: string | null;
  text: string;
  /** False when the body ended early or its length is not the one announced. */
  complete: boolean;
  ms: number;
}

export interface ResponseInfo {
  requestId: string | null;
  /** The service's clock, Unix seconds. */
  date: number | null;
  /** The reader's clock, Unix seconds. */
  readAt: number;
}

export type NoAnswerReason = 'timeout' | 'network' | 'redirect' | 'aborted' | 'offline';

export interface NoAnswer {
  kind: 'no-answer';
  reason: NoAnswerReason;
  ms: number;
}

export type AttemptResult = ServiceAnswer | NoAnswer;

export type Envelope = NonNullable<ReturnType<typeof readEnvelope>>;

/** The error envelope of a body (section 7), with null for missing or non-text parts; null if the body has none. */
export function readEnvelope(text: string) {
  const body = parseJson(text);
  const error = isObject(body) ? body['error'] : undefined;
  if (!isObject(error)) return null;
  return {
    type: textOf(error['type']),
    code: textOf(error['code']),
    message: textOf(error['message']),
    request_id: textOf(error['request_id']),
  };
}

/** Parses JSON, every number to the digit; undefined if invalid. Checks for empty text first: throwing is slow at start-up. */
export function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : parseExact(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** Whether a web page came instead of JSON, such as a network's sign-in page. Its status then says nothing about the service. */
export function isWebPage({ text, contentType }: Pick<ServiceAnswer, 'text' | 'contentType'>): boolean {
  const isMarkup = isHtmlType(contentType) || text.trimStart().startsWith('<');
  return isMarkup && parseJson(text) === undefined;
}

export function isHtmlType(contentType: string | null): boolean {
  return contentType?.toLowerCase().includes('html') ?? false;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Seconds to wait before the next request, if the response asks for that, else null; `now`: device clock, ms. */
export function secondsAsked(
  { retryAfter, date }: Pick<ServiceAnswer, 'retryAfter' | 'date'>,
  now: number,
): number | null {
  // Compare the date with the clock that wrote it, if the response has one.
  return parseRetryAfter(retryAfter, date === null ? now : date * 1000);
}

/** Maximum Age, in seconds, of a cached response whose Date still gives the service's clock. */
const OLDEST_SECONDS = 60;

/**
 * The service's clock at the response, Unix seconds: Date minus Age. Null if either is unreadable, or if the response is
 * older: a cache may or may not have rewritten its Date, so the result could be too early or too late.
 */
export function readServiceDate(date: string | null, age: string | null): number | null {
  const ms = parseHttpDate(date?.trim() ?? '');
  if (ms === null || !/^\d*$/.test(age?.trim() ?? '')) return null;
  const seconds = Number(age ?? 0);
  return seconds > OLDEST_SECONDS ? null : Math.floor(ms / 1000) - seconds;
}

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

/** The seconds of a Retry-After header, which may be an HTTP date; null if missing or invalid. */
export function parseRetryAfter(header: string | null, nowUnixMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const at = parseHttpDate(text);
  return at === null ? null : Math.max(0, Math.ceil((at - nowUnixMs) / 1000));
}

function parseHttpDate(text: string): number | null {
  // Date.parse alone would accept "-5" as a date.
  if (!HTTP_DATE.test(text)) return null;
  const at = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}
