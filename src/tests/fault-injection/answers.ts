import type { AttemptResult, NoAnswer, ServiceAnswer } from '#src/shared/answers.ts';
import type { Served } from './service.ts';

// Responses that a server receives, from the service or from something in between.

const HTML = '<!doctype html><title>Bad gateway</title><p>Something went wrong.</p>';
const PORTAL = '<!doctype html><title>Welcome to our hotel</title><form>Room number</form>';

export function answerBy(served: Served, date: number, ms: number, retryAfter: string | null = null): ServiceAnswer {
  const { status, requestId, replayed, contentType, text } = served;
  return { kind: 'answer', status, requestId, date, replayed, retryAfter, contentType, text, complete: true, ms };
}

export function noAnswer(reason: NoAnswer['reason'], ms: number): NoAnswer {
  return { kind: 'no-answer', reason, ms };
}

/** A response that doesn't come from the service. */
export function strange(status: number): ServiceAnswer {
  return {
    kind: 'answer',
    status,
    requestId: null,
    date: null,
    replayed: false,
    retryAfter: null,
    contentType: 'text/html',
    text: status < 300 ? PORTAL : HTML,
    complete: true,
    ms: 40,
  };
}

/** An error envelope from a part of the service that stores nothing under the key. */
export function frontEnvelope(status: number, code: string): Served {
  const type = status === 401 ? 'authentication_error' : 'api_error';
  const error = { type, code, message: 'As the service puts it.', request_id: 'req_front' };
  const text = JSON.stringify({ error });
  return { status, requestId: 'req_front', replayed: false, contentType: 'application/json', text };
}

/** The contract's error envelope (7). */
export function isEnvelope(text: string): boolean {
  return text.startsWith('{"error"');
}

/** A 2xx that contains an error in addition to all fields of a success. */
export function errorInSuccess(body: string): Served {
  const stated: object = body === '' ? {} : JSON.parse(body);
  const { error } = JSON.parse(frontEnvelope(500, 'internal_error').text) as { error: object };
  const text = JSON.stringify({ error, id: 'wd_none', ...stated });
  return { status: 200, requestId: 'req_front', replayed: false, contentType: 'application/json', text };
}

/** The same response with another amount. */
export function altered(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, text: answer.text.replace(/"amount":"[^"]*"/, '"amount":"7777"') };
}

/** The same response without the destination. */
export function partial(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, text: answer.text.replace(/"(amount|address)":"[^"]*"/g, '"$1":null') };
}

/** The same response with an id that isn't a withdrawal's. */
export function strangeId(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, text: answer.text.replace('"id":"wd_', '"id":"pay_') };
}

export function cut(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, text: answer.text.slice(0, Math.floor(answer.text.length / 2)), complete: false };
}

/** As if a proxy had removed the service's own headers. */
export function undated(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, date: null, requestId: null, replayed: false };
}

export function isSuccess(attempt: AttemptResult): boolean {
  return attempt.kind === 'answer' && attempt.status >= 200 && attempt.status < 300;
}
