import type { ServerResponse } from 'node:http';
import { API_KEY_HEADER, IDEMPOTENCY_KEY_HEADER } from '#src/shared/contract/contract.ts';
import type { NoAnswerReason } from '#src/shared/answers.ts';
import type { Clock, Connection, ServicePort } from '#src/server/operations/ports.ts';
import { refuse } from '#src/server/http/guards.ts';
import { redactKey } from './redactKey.ts';

/** A call as it leaves the gateway: path with query, exact body bytes, and only allowed headers. */
export interface ServiceCall {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
  /** The page's X-Attempt, only for the embedded sandbox. */
  attempt: string | null;
}

export interface Service extends ServicePort {
  demoKey: string | null;
  /** The sandbox's id of a key's account; null if the service isn't the embedded sandbox. */
  sandboxAccount(apiKey: string): Promise<string | null>;
  /** Streams the service's response to the socket, adding the extra headers; throws ServiceError if there is no response. */
  relay(call: ServiceCall, outgoing: ServerResponse, extraHeaders: [string, string][]): Promise<void>;
  /** Opens a connection that is ready for bytes. Only a rejection proves that nothing was sent. */
  connect(apiKey: string): Promise<Connection>;
  /** The clock of a key's account. */
  clock(apiKey: string): Promise<Clock>;
  controls: ((call: ServiceCall, outgoing: ServerResponse, extraHeaders: [string, string][]) => Promise<void>) | null;
}

export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly reason: NoAnswerReason;
  constructor(reason: NoAnswerReason) {
    super(reason);
    this.reason = reason;
  }
}

export function noAnswerReason(error: unknown): NoAnswerReason {
  return error instanceof ServiceError ? error.reason : 'network';
}

/** The error envelope for a call that got no response (Gateway-Error: upstream). */
export function refuseUpstream(reason: NoAnswerReason): Response {
  if (reason === 'timeout') return refuse('upstream', 504, 'service_silent', 'The provider did not respond in time.');
  const [code, message] =
    reason === 'redirect'
      ? ['service_redirected', 'The provider responded with a redirect, which is never followed.']
      : ['service_unreachable', 'The provider couldn’t be reached, or the connection broke.'];
  return refuse('upstream', 502, code, message);
}

export function readHeaders(apiKey: string, accept = 'application/json'): Record<string, string> {
  return { Accept: accept, [API_KEY_HEADER]: apiKey };
}

export function postHeaders(apiKey: string, key: string): Record<string, string> {
  return { ...readHeaders(apiKey), 'Content-Type': 'application/json', [IDEMPOTENCY_KEY_HEADER]: key };
}

/** The session's key in a call; '' if it has none. */
export function apiKeyOf({ headers }: Pick<ServiceCall, 'headers'>): string {
  return headers[API_KEY_HEADER] ?? '';
}

const FROM_SERVICE = ['content-type', 'content-length', 'request-id', 'date', 'retry-after', 'idempotency-replayed'];

/** The headers that the browser gets. Gateway-Error is the gateway's own, so the service's is dropped. */
export function answerHeaders(
  header: (name: string) => string | string[] | null | undefined,
  apiKey: string,
): [string, string][] {
  const headers: [string, string][] = [];
  for (const name of FROM_SERVICE) {
    const value = header(name);
    if (typeof value === 'string') headers.push([name, redactKey(value, apiKey)]);
  }
  return headers;
}

/** The service name of the embedded sandbox, used in place of an address. */
export const SANDBOX_SERVICE = 'sandbox';

/** The normal form of a base URL: href without user info and trailing slash; null if invalid. */
export function serviceName(baseUrl: string): string | null {
  if (!URL.canParse(baseUrl)) return null;
  const url = new URL(baseUrl);
  // URL reports an empty query or fragment as missing, but an appended path would become part of it.
  if (!/^https?:$/.test(url.protocol) || /[?#]/.test(url.href)) return null;
  url.username = '';
  url.password = '';
  return url.href.replace(/\/+$/, '');
}
