import type { Attempt, NoAnswer, ServiceAnswer } from '#src/lib/answers.ts';
import type { Random } from './random.ts';
import type { Served } from './service.ts';

// What a server hears: the service's answers, and those of whatever stands between.

const HTML = '<!doctype html><title>Bad gateway</title><p>Something went wrong.</p>';
const PORTAL = '<!doctype html><title>Welcome to our hotel</title><form>Room number</form>';

export function answerBy(served: Served, date: number, ms: number, retryAfter: string | null = null): ServiceAnswer {
  const { status, requestId, replayed, contentType, text } = served;
  return { kind: 'answer', status, requestId, date, replayed, retryAfter, contentType, text, complete: true, ms };
}

export function noAnswer(reason: NoAnswer['reason'], ms: number): NoAnswer {
  return { kind: 'no-answer', reason, ms };
}

/** An answer that is not the service's. */
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

/** The service's envelope, from a part of it that stores nothing. */
export function envelope(status: number, code: string): Served {
  const type = status === 401 ? 'authentication_error' : 'api_error';
  const error = { type, code, message: 'As the service puts it.', request_id: 'req_front' };
  const text = JSON.stringify({ error });
  return { status, requestId: 'req_front', replayed: false, contentType: 'application/json', text };
}

export function retryAfterOf(random: Random, now: number): string | null {
  const kind = random.whole(0, 9);
  if (kind < 4) return null;
  if (kind < 7) return String(random.whole(1, 20));
  return ['99999', 'abc', new Date(now + 7_000).toUTCString()][kind - 7] ?? null;
}

/** The same answer, naming another amount. */
export function altered(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, text: answer.text.replace(/"amount":"[^"]*"/, '"amount":"7777"') };
}

/** The same answer, silent about where the money went. */
export function partial(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, text: answer.text.replace(/"(amount|address)":"[^"]*"/g, '"$1":null') };
}

export function cut(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, text: answer.text.slice(0, Math.floor(answer.text.length / 2)), complete: false };
}

/** As behind a proxy that hides the service's own headers. */
export function undated(answer: ServiceAnswer): ServiceAnswer {
  return { ...answer, date: null, requestId: null, replayed: false };
}

export function isSuccess(attempt: Attempt): boolean {
  return attempt.kind === 'answer' && attempt.status >= 200 && attempt.status < 300;
}
