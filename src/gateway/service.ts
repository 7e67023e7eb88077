import type { ServerResponse } from 'node:http';
import { API_KEY_HEADER, IDEMPOTENCY_KEY_HEADER } from '#src/api/contract.ts';
import { refuse } from './refusal.ts';

/** A call as it leaves the gateway: path with query, exact body bytes, and only the headers that are meant to. */
export interface Call {
  method: string;
  target: string;
  headers: [string, string][];
  body: Uint8Array | null;
  /** The page's X-Attempt, for the embedded sandbox alone. */
  attempt: string | null;
}

export interface Reading {
  status: number;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

/** The payment service as the gateway sees it. */
export interface Service {
  name: string;
  demoKey: string | null;
  /** The sandbox's own id of a key's account; null where the service is not the embedded sandbox. */
  sandboxAccount(apiKey: string): Promise<string | null>;
  /** Writes the service's answer to the socket as it comes, with `own` headers, and returns null; or says why there is none. */
  relay(call: Call, outgoing: ServerResponse, own: [string, string][]): Promise<Response | null>;
  /** The whole answer to one read; throws ServiceError. */
  read(call: Call): Promise<Reading>;
  /** The sandbox's controls; null behind a forwarding gateway. */
  controls: ((call: Call, outgoing: ServerResponse, own: [string, string][]) => Promise<void>) | null;
}

/** No answer, and what is known of why. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly kind: 'lost' | 'silent' | 'redirect';
  constructor(kind: 'lost' | 'silent' | 'redirect') {
    super(kind);
    this.kind = kind;
  }
}

/** The envelope for a call that got no answer (Gateway-Error: upstream). */
export function refuseUpstream(error: unknown): Response {
  const kind = error instanceof ServiceError ? error.kind : 'lost';
  if (kind === 'silent')
    return refuse('upstream', 504, 'service_silent', 'The payment service did not answer in time.');
  if (kind === 'redirect')
    return refuse(
      'upstream',
      502,
      'service_redirected',
      'The payment service answered with a redirect, which is never followed.',
    );
  return refuse(
    'upstream',
    502,
    'service_unreachable',
    'The payment service could not be reached, or the connection to it broke.',
  );
}

const FROM_BROWSER = ['Accept', 'Content-Type', IDEMPOTENCY_KEY_HEADER];

/** The headers of a browser's request that go on, with the session's key; cookies, X-Account and a key of its own do not. */
export function callHeaders(from: Headers, apiKey: string): [string, string][] {
  const kept = FROM_BROWSER.flatMap((name): [string, string][] => {
    const value = from.get(name);
    return value === null ? [] : [[name, value]];
  });
  return [...kept, [API_KEY_HEADER, apiKey]];
}

const FROM_SERVICE = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'request-id',
  'date',
  'retry-after',
  'idempotency-replayed',
]);

/** The headers of the service's answer that the browser gets; a Gateway-Error of the service is none of them. */
export function answerHeaders(from: Iterable<[string, string]>): [string, string][] {
  return [...from].filter(([name]) => FROM_SERVICE.has(name.toLowerCase()));
}

/** 304 answers a condition that the gateway never sends; every 3xx is a service that is not where it was said to be. */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
