import { useSyncExternalStore } from 'react';
import { type Envelope, type NoAnswerReason, readEnvelope } from '#src/shared/answers.ts';
import { createStore } from '#src/web/ui/store.ts';
import { OPERATIONS_PATH, REVIEW_PATH } from '#src/shared/serverPaths.ts';
import type { GatewayAnswer, GatewayAttempt } from './gatewayAnswer.ts';
import { decoded } from '#src/shared/paths.ts';

export interface RequestRecord {
  /** Number of the call; the attempts of a read that was tried again share it. */
  call: number;
  attempt: string;
  /** Unix milliseconds by this device's clock. */
  at: number;
  method: string;
  /** With its query. */
  path: string;
  /** Idempotency-Key of the operation that the call was to change. */
  key: string | null;
  /** As forwarded to the service, without the API key, which the gateway adds. */
  headers: readonly (readonly [name: string, value: string])[];
  body: LoggedBody | null;
  outcome: 'running' | 'answer' | NoAnswerReason;
  ms: number | null;
  status: number | null;
  requestId: string | null;
  replayed: boolean;
  answer: Answered | null;
}

export interface Answered extends Pick<
  GatewayAnswer,
  'gatewayError' | 'retryAfter' | 'date' | 'contentType' | 'complete'
> {
  body: LoggedBody | null;
  /** The error envelope of the whole body; kept when the body is dropped. */
  error: Envelope | null;
}

type RequestStart = Pick<RequestRecord, 'attempt' | 'at' | 'method' | 'path' | 'headers'> & {
  call?: number | undefined;
  body?: string | undefined;
};

export const LOG_CAPACITY = 500;
/** Changed in place: copying it at each request would cost more than the rest of logging. */
const log: RequestRecord[] = [];
/** Copy for readers, made on demand. */
let snapshot: readonly RequestRecord[] | null = null;
const changes = createStore(0);
/** Characters of all bodies; records before index `bare` have no bodies left. */
let texts = 0;
let bare = 0;
let calls = 0;

/** A unique number for a call that may need several attempts. */
export function newCall(): number {
  calls += 1;
  return calls;
}

/** Records that an attempt was sent. The newest 500 are kept, in memory only: a reload starts an empty log. */
export function noteStart({ call, body, ...start }: RequestStart): void {
  const record: RequestRecord = {
    ...start,
    key: start.method === 'GET' ? null : keyIn(start.path),
    call: call ?? newCall(),
    body: body === undefined ? null : bodyForLog(start.path, body),
    outcome: 'running',
    ms: null,
    status: null,
    requestId: null,
    replayed: false,
    answer: null,
  };
  texts += textsOf(record);
  log.push(record);
  for (const oldest of log.splice(0, log.length - LOG_CAPACITY)) {
    texts -= textsOf(oldest);
    bare = Math.max(0, bare - 1);
  }
  trimAndNotify();
}

/** The operation's key in a path of the dashboard's server; null for any other path. */
function keyIn(path: string): string | null {
  const part = path.startsWith(`${OPERATIONS_PATH}/`) ? path.slice(OPERATIONS_PATH.length + 1).split(/[/?]/)[0] : '';
  if (!part || path.startsWith(REVIEW_PATH)) return null;
  return decoded(part);
}

/** Records how an attempt ended. Ignored if the log was cleared meanwhile: it belongs to another session. */
export function noteEnd(attempt: string, result: GatewayAttempt): void {
  const at = log.findLastIndex((record) => record.attempt === attempt);
  const record = log[at];
  if (!record) return;
  const ended = endedWith(record, result);
  texts += textsOf(ended) - textsOf(record);
  log[at] = ended;
  bare = Math.min(bare, at);
  trimAndNotify();
}

/** Drops the oldest bodies until all together fit, and notifies the readers. */
function trimAndNotify(): void {
  for (; texts > TEXTS_MAX; bare += 1) {
    const record = log[bare];
    if (!record) break;
    texts -= textsOf(record);
    log[bare] = withoutTexts(record);
  }
  snapshot = null;
  changes.set(changes.get() + 1);
}

function endedWith(record: RequestRecord, result: GatewayAttempt): RequestRecord {
  if (result.kind === 'no-answer') return { ...record, outcome: result.reason, ms: result.ms };
  const { ms, status, requestId, replayed, gatewayError, retryAfter, date, contentType, complete, text } = result;
  const body = bodyForLog(record.path, text);
  const error = body && status >= 400 ? keptEnvelope(text) : null;
  const answer = { gatewayError, retryAfter, date, contentType, complete, body, error };
  return { ...record, outcome: 'answer', ms, status, requestId, replayed, answer };
}

/** Only bodies of /v1: a body of /session holds the API key or the token of an invite. */
function bodyForLog(path: string, text: string): LoggedBody | null {
  return path.startsWith('/v1/') ? loggedBody(text) : null;
}

function keptEnvelope(text: string): Envelope | null {
  const envelope = readEnvelope(text);
  const short = (word: string | null): string | null => word && loggedBody(word, WORD_MAX).text;
  const { type = null, code = null, message = null, request_id = null } = envelope ?? {};
  return envelope && { type: short(type), code: short(code), message: short(message), request_id: short(request_id) };
}

/** Oldest first; a new array after every change. */
export function getRequestLog(): readonly RequestRecord[] {
  snapshot ??= [...log];
  return snapshot;
}

export function clearRequestLog(): void {
  log.length = texts = bare = 0;
  trimAndNotify();
}

export function useRequestLog(): readonly RequestRecord[] {
  return useSyncExternalStore(changes.subscribe, getRequestLog);
}

export interface LoggedBody {
  /** The text or its beginning; null once dropped for newer ones. */
  text: string | null;
  /** Characters of the whole body. */
  length: number;
}

/** Character limits of one body, and of all bodies together. */
export const TEXT_MAX = 64 * 1024;
const TEXTS_MAX = 8 * 1024 * 1024;
/** Character limit of each part of an error envelope. */
export const WORD_MAX = 1_000;

export function loggedBody(text: string, most = TEXT_MAX): LoggedBody {
  const { length } = text;
  if (length <= most) return { text, length };
  // Copied character by character: a slice would keep the whole text in memory.
  const bytes = new TextEncoder().encode(text.slice(0, most).replace(/[\uD800-\uDBFF]$/, ''));
  return { text: new TextDecoder().decode(bytes), length };
}

function textsOf({ body, answer }: RequestRecord): number {
  return (body?.text?.length ?? 0) + (answer?.body?.text?.length ?? 0);
}

function withoutTexts(record: RequestRecord): RequestRecord {
  const answer = record.answer && { ...record.answer, body: dropped(record.answer.body) };
  return { ...record, body: dropped(record.body), answer };
}

function dropped(kept: LoggedBody | null): LoggedBody | null {
  return kept && { ...kept, text: null };
}

const REASONS: Record<Exclude<RequestRecord['outcome'], 'answer'>, string> = {
  running: 'Running',
  timeout: 'No response in time',
  network: 'No response',
  redirect: 'Redirect refused',
  aborted: 'Canceled',
  offline: 'Offline, not sent',
};

export function outcomeWords({ outcome, status }: RequestRecord): string {
  return outcome === 'answer' ? String(status) : REASONS[outcome];
}
