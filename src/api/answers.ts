import { isExactNumber, parseExact } from '#src/lib/exactJson.ts';
import { parseRetryAfter } from '#src/lib/retryAfter.ts';
import { ApiError } from './errors.ts';

/** What is known of an answer, whatever its status. */
export interface AnswerFacts {
  status: number;
  requestId: string | null;
  /** Kind of a refusal by the gateway itself: session, account, read-only, not-allowed, upstream. */
  gatewayError: string | null;
  retryAfter: string | null;
  /** The service's clock, Unix seconds; null when unreadable. */
  date: number | null;
  contentType: string | null;
  text: string;
  /** False when the body ended early or its length is not the one announced. */
  complete: boolean;
}

export type NoAnswerReason = 'timeout' | 'network' | 'redirect' | 'aborted' | 'offline';

export interface Envelope {
  type: string | null;
  code: string | null;
  message: string | null;
  request_id: string | null;
}

/** The error envelope of a body (section 7), parts that are missing or no text as null; null when the body has none. */
export function readEnvelope(text: string): Envelope | null {
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

/** The JSON of a text, every number to the digit; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Seconds of quiet that an answer asks for, null when it does not; `now`: device clock, ms. */
export function secondsAsked(
  { retryAfter, date }: Pick<AnswerFacts, 'retryAfter' | 'date'>,
  now: number,
): number | null {
  // A date is compared with the clock that wrote it, where that is known.
  return parseRetryAfter(retryAfter, date === null ? now : date * 1000);
}

/** The error that an answer amounts to when it is not a complete JSON success. */
export function errorOfAnswer(answer: AnswerFacts): ApiError {
  const envelope = readEnvelope(answer.text);
  const facts = {
    status: answer.status,
    type: envelope?.type ?? null,
    code: envelope?.code ?? null,
    requestId: answer.requestId ?? envelope?.request_id ?? null,
    gateway: answer.gatewayError,
    retryAfterSeconds: secondsAsked(answer, Date.now()),
  };
  if (envelope && answer.status >= 400) {
    return new ApiError(envelope.message ?? generalWords(answer.status), { ...facts, kind: 'http' });
  }
  if (!answer.complete) return new ApiError('The answer was cut short on the way.', { ...facts, kind: 'cut' });
  if (answer.status >= 400) return new ApiError(generalWords(answer.status), { ...facts, kind: 'http' });
  return new ApiError(notJsonWords(answer), { ...facts, kind: 'not-json' });
}

/** The error of a call that got no answer. */
export function errorOfNoAnswer(reason: NoAnswerReason): ApiError {
  if (reason === 'timeout') return new ApiError('No answer came in time.', { kind: 'timeout' });
  if (reason === 'redirect') {
    return new ApiError('The answer pointed to another address, which was not followed.', { kind: 'redirect' });
  }
  if (reason === 'offline') return new ApiError('This device is offline. Nothing was sent.', { kind: 'network' });
  return new ApiError('No answer: the connection failed.', { kind: 'network' });
}

function notJsonWords({ text, contentType }: AnswerFacts): string {
  if (text.trim() === '') return 'The answer is empty.';
  // Never shown itself: it may be anybody's page (a hotel's, a proxy's).
  if (contentType?.includes('html') || text.trimStart().startsWith('<')) {
    return 'This is not the payment service: a web page answered in its place.';
  }
  return 'The answer is not JSON.';
}

function generalWords(status: number): string {
  if (status === 401) return 'The service does not accept the key.';
  if (status === 403) return 'The service does not allow this.';
  if (status === 404) return 'The service has nothing here.';
  if (status === 429) return 'The service asks for fewer requests.';
  if (status >= 500) return 'The service failed, or something in front of it did.';
  return 'The service refused the request.';
}
