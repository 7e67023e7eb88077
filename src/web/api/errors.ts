import { type NoAnswerReason, isWebPage, readEnvelope, secondsAsked } from '#src/shared/answers.ts';
import { isNotFound } from '#src/shared/contract/contract.ts';
import type { GatewayAnswer } from './gatewayAnswer.ts';

export type ApiErrorKind =
  | Exclude<NoAnswerReason, 'aborted'>
  | 'http'
  | 'cut'
  | 'web-page'
  | 'not-json'
  | 'not-contract';

export type ApiErrorFacts = Pick<ApiError, 'kind'> &
  Partial<Pick<ApiError, 'status' | 'type' | 'code' | 'requestId' | 'gateway' | 'ofProvider'>> & {
    retryAfterSeconds?: number | null;
    /** Absent: now. */
    at?: number;
    isOfLaterPage?: boolean;
  };

/** A read or a session call that failed; `message` is for people, the rest for look-up. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly status: number | null;
  readonly type: string | null;
  readonly code: string | null;
  readonly requestId: string | null;
  /** The gateway's own reason, null when the service answered. */
  readonly gateway: string | null;
  /** False if the dashboard's own server failed, or the request was meant for it. */
  readonly ofProvider: boolean;
  readonly retryAfterSeconds?: number;
  /** Unix seconds by this device's clock. */
  readonly at: number;
  /** True if earlier pages of the list were read: then a 404 doesn't mean that the list is missing. */
  isOfLaterPage: boolean;

  constructor(message: string, facts: ApiErrorFacts) {
    super(message);
    this.kind = facts.kind;
    this.status = facts.status ?? null;
    this.type = facts.type ?? null;
    this.code = facts.code ?? null;
    this.requestId = facts.requestId ?? null;
    this.gateway = facts.gateway ?? null;
    this.ofProvider = facts.ofProvider ?? true;
    this.at = facts.at ?? Math.floor(Date.now() / 1000);
    this.isOfLaterPage = facts.isOfLaterPage ?? false;
    if (facts.retryAfterSeconds != null) this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/**
 * Whether a list outside the contract seems to be missing: 404 or 405, even from a proxy. Enough to show something else
 * instead; saysNotFound is proof.
 */
export function isNotOffered(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.isOfLaterPage || error.gateway !== null) return false;
  return error.status === 404 || error.status === 405;
}

/** Marks an error that came after rows of the list. */
export function ofLaterPage(error: unknown): unknown {
  if (error instanceof ApiError) error.isOfLaterPage = true;
  return error;
}

/** Whether the service itself reports "not found", for example for a list it doesn't offer or an asset never held. */
export function saysNotFound(error: unknown): error is ApiError {
  return isNotOffered(error) && isNotFound(error);
}

/**
 * Whether a failed write may have been carried out. Only a refusal, or a request that was never sent, proves that it was
 * not. A lost or unreadable response, a 5xx and a 408 prove nothing: a proxy may answer so after the server has done it.
 */
export function outcomeUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.kind === 'offline') return false;
  if (error.kind === 'web-page') return true;
  return error.status === null || error.status < 400 || error.status >= 500 || error.status === 408;
}

/** Whether something between page and server responded, such as a company's sign-in page. Reloading the page opens it. */
export function isFromElsewhere(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'web-page' || error.kind === 'redirect');
}

/** An error as shown to people, with what support needs. Times: Unix seconds by this device's clock. */
export function describeError(error: unknown) {
  if (error instanceof ApiError) {
    const { status, code, message, requestId, at, retryAfterSeconds } = error;
    // The service asks us to send no request before then.
    const waitUntil = retryAfterSeconds === undefined ? null : at + Math.ceil(retryAfterSeconds);
    return { heading: headingOf(error), status, code, message, requestId, at, waitUntil };
  }
  return {
    heading: 'Something went wrong on this page',
    status: null,
    code: null,
    message: error instanceof Error ? error.message : String(error),
    requestId: null,
    at: Math.floor(Date.now() / 1000),
    waitUntil: null,
  };
}

function headingOf({ kind, status, gateway, ofProvider }: ApiError): string {
  const who = ofProvider ? 'The provider' : 'The dashboard’s server';
  if (kind === 'timeout') return `${who} didn’t respond in time`;
  if (kind === 'web-page' || kind === 'redirect') return 'Something else responded';
  if (kind === 'network' || kind === 'offline') return 'Couldn’t reach the provider';
  if (kind === 'cut') return 'The response was cut short';
  if (kind === 'not-json' || kind === 'not-contract') return 'Couldn’t read the response';
  if (gateway === 'upstream') return 'Couldn’t reach the provider';
  if (status === 401) return gateway === null ? 'The provider refused the API key' : 'Signed out';
  if (status === 404) return 'Not found';
  if (status === 429) return 'Too many requests';
  if (status !== null && status >= 500) return `${who} had an error`;
  return `${who} refused this`;
}

/** `toService`: the request was for the service, not for the dashboard's own server. */
export function errorOfAnswer(answer: GatewayAnswer, toService = false): ApiError {
  const envelope = readEnvelope(answer.text);
  const facts = {
    status: answer.status,
    type: envelope?.type ?? null,
    code: envelope?.code ?? null,
    requestId: answer.requestId ?? envelope?.request_id ?? null,
    gateway: answer.gatewayError,
    ofProvider: toService && answer.gatewayError === null,
    retryAfterSeconds: secondsAsked(answer, Date.now()),
  };
  if (!envelope && isWebPage(answer)) return new ApiError(webPageWords(toService), { ...facts, kind: 'web-page' });
  if (answer.status >= 400 && (envelope || answer.complete)) {
    const words = envelope?.message ?? generalWords(answer.status, facts.ofProvider);
    return new ApiError(words, { ...facts, kind: 'http' });
  }
  if (!answer.complete)
    return new ApiError('The response was cut short on the way, or is too long.', { ...facts, kind: 'cut' });
  return new ApiError(notJsonWords(answer), { ...facts, kind: 'not-json' });
}

export function errorOfNoAnswer(reason: NoAnswerReason, toService = true): ApiError {
  if (reason === 'timeout') return new ApiError('No response in time.', { kind: 'timeout', ofProvider: toService });
  if (reason === 'redirect') {
    const words = 'The response redirects to another page, such as a sign-in page of your network.';
    return new ApiError(`${words} Reload this page.`, { kind: 'redirect' });
  }
  if (reason === 'offline') return new ApiError('This device is offline.', { kind: 'offline' });
  return new ApiError('No connection.', { kind: 'network' });
}

function notJsonWords({ text }: GatewayAnswer): string {
  return text.trim() === '' ? 'The response is empty.' : 'The response is not JSON.';
}

/** Never shows the web page's content, which anyone may have written. */
function webPageWords(ofService: boolean): string {
  const whose = ofService ? 'the provider’s response' : 'the response of the dashboard’s server';
  return `A web page came back in place of ${whose}. If your network asks you to sign in, reload this page.`;
}

function generalWords(status: number, ofService: boolean): string {
  const who = ofService ? 'The provider' : 'The dashboard’s server';
  if (status === 401) return `${who}, or something in front of it, refused the request without a reason.`;
  if (status === 403) return `${who} does not allow this.`;
  if (status === 404) return 'This 404 may not be the provider’s own.';
  if (status === 429) return `${who} asks us to slow down.`;
  if (status >= 500) return `${who} failed, or something in front of it did.`;
  return `${who} refused the request.`;
}
