import { type NoAnswer, type NoAnswerReason, readServiceDate, secondsAsked } from '#src/shared/answers.ts';
import { IDEMPOTENCY_REPLAYED_HEADER, REQUEST_ID_HEADER } from '#src/shared/contract/contract.ts';
import type { GatewayAnswer, GatewayAttempt } from './gatewayAnswer.ts';
import { JOURNAL_HEADER } from '#src/shared/serverPaths.ts';
import { journalHeader, latestJournalMark, noteJournalMark } from './journalMark.ts';
import { personHeader } from './personActivity.ts';
import { readResponseBody } from './responseBody.ts';
import { withQuery } from './paging/pageQuery.ts';
import { clearPause, notePause } from './paging/rateLimitPause.ts';
import { dropEarly, type EarlyRequest, takeEarly } from './earlyRequests.ts';
import { ACCEPT_JSON, attemptId, requestInit } from './requestInit.ts';
import { noteEnd, noteStart } from './requestLog.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: URLSearchParams | undefined;
  /** JSON, sent byte for byte. */
  body?: string | undefined;
  /** X-Account; the session's account when absent. */
  account?: string | undefined;
  signal?: AbortSignal | undefined;
  /** ETag of the version that the page has; 304 means that it is still current. */
  ifNoneMatch?: string | undefined;
  /** Number from newCall() that groups the attempts of one call in the request log. */
  call?: number | undefined;
}

type Transport = (path: string, init: RequestInit) => Promise<Response>;
const sameOrigin: Transport = (path, init) => fetch(path, init);
let transport = sameOrigin;

/** Sends requests elsewhere than to this origin (tests, simulator); null restores the default. */
export function setTransport(replacement: Transport | null): void {
  transport = replacement ?? sameOrigin;
  clearPause();
}

/** Connects http to the session without importing it: session.ts registers itself. */
export interface SessionLink {
  account: string | null;
  answered: (answer: GatewayAnswer) => void;
}
let openLink: (path: string) => SessionLink = () => ({ account: null, answered: () => undefined });

/** `open` is called at the start of every attempt; its `answered` gets that attempt's answer. */
export function connectSession(open: (path: string) => SessionLink): void {
  openLink = open;
}

const TIMEOUT_MS = 30_000;

/** Exactly one request. Never throws. The time-out (30 s) covers the body. */
export async function attempt(call: Call): Promise<GatewayAttempt> {
  const link = openLink(call.path);
  const account = call.account ?? link.account;
  const path = withQuery(call.path, call.query);
  if (call.method !== 'GET') dropEarly();
  const early = takeEarly(account, path);
  const { began, at, attempt: id } = early ?? { began: performance.now(), at: Date.now(), attempt: attemptId() };
  noteStart({ call: call.call, attempt: id, at, method: call.method, path, headers: headersOf(call), body: call.body });
  const result = await send(call, path, id, account, early, () => Math.round(performance.now() - began));
  noteEnd(id, result);
  if (result.kind === 'answer') {
    // A rate limit of the dashboard's own server must not pause reads of the service.
    if (call.path.startsWith('/v1/')) notePause(result.status, secondsAsked(result, Date.now()));
    link.answered(result);
  }
  return result;
}

async function send(
  call: Call,
  path: string,
  id: string,
  account: string | null,
  early: EarlyRequest | undefined,
  elapsed: () => number,
): Promise<GatewayAttempt> {
  const none = (reason: NoAnswerReason): NoAnswer => ({ kind: 'no-answer', reason, ms: elapsed() });
  if (call.signal?.aborted) return none('aborted');
  // `onLine` may be wrong, so a read is tried anyway. A write is not: "offline" proves that it was not sent.
  if (call.method !== 'GET' && isOffline()) return none('offline');

  const stop = early?.stop ?? new AbortController();
  const fetchAnswer = async (): Promise<GatewayAttempt> => {
    const sentMark = latestJournalMark();
    const { method, body } = call;
    const headers = [...headersOf(call), ...journalHeader(call.path), ...personHeader(), ...tagHeader(call)];
    const init = requestInit({ method, headers, body, account, attempt: id, signal: stop.signal });
    const response = await (early?.response ?? transport(path, init));
    noteJournalMark(call.path, response.headers.get(JOURNAL_HEADER), sentMark);
    if (isRedirect(response) && !(call.ifNoneMatch !== undefined && response.status === 304)) return none('redirect');
    return answerOf(response, await readResponseBody(response), elapsed());
  };
  return new Promise((resolve) => {
    // Resolve before aborting: an aborted body must not count as an answer, and a transport may ignore the signal.
    const end = (reason: 'timeout' | 'aborted'): void => {
      settle(none(reason));
      stop.abort();
    };
    const onAbort = (): void => end('aborted');
    const timer = setTimeout(() => end('timeout'), TIMEOUT_MS);
    call.signal?.addEventListener('abort', onAbort, { once: true });
    const settle = (result: GatewayAttempt): void => {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
      resolve(result);
    };
    fetchAnswer().then(settle, () => settle(none('network')));
  });
}

function tagHeader({ ifNoneMatch }: Call): [string, string][] {
  return ifNoneMatch === undefined ? [] : [['If-None-Match', ifNoneMatch]];
}

function isOffline(): boolean {
  return 'navigator' in globalThis && 'onLine' in navigator && !navigator.onLine;
}

/** Headers that reach the service; the gateway adds the API key. */
function headersOf(call: Call): [string, string][] {
  return call.method === 'GET' ? [ACCEPT_JSON] : [ACCEPT_JSON, ['Content-Type', 'application/json']];
}

function answerOf(response: Response, body: { text: string; complete: boolean }, ms: number): GatewayAnswer {
  const header = (name: string): string | null => response.headers.get(name) || null;
  return {
    kind: 'answer',
    status: response.status,
    requestId: header(REQUEST_ID_HEADER),
    date: readServiceDate(header('Date'), header('Age')),
    replayed: header(IDEMPOTENCY_REPLAYED_HEADER)?.toLowerCase() === 'true',
    retryAfter: header('Retry-After'),
    gatewayError: header('Gateway-Error'),
    contentType: header('Content-Type'),
    etag: header('ETag'),
    ...body,
    ms,
  };
}

/** A browser shows only the type, Node the status. */
function isRedirect({ type, status, redirected }: Response): boolean {
  return type === 'opaqueredirect' || redirected || (status >= 300 && status < 400);
}
