import type { Context, Env, Hono } from 'hono';
import { isObject } from '#src/shared/answers.ts';
import { isStorable } from '#src/shared/text.ts';
import { JSON_DEPTH_MAX, isDeeper } from '#src/shared/json/jsonObject.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import {
  CODE_AUTHENTICATION_ERROR,
  CODE_IDEMPOTENCY_KEY_REUSED,
  CODE_INVALID_REQUEST,
  CODE_NOT_FOUND,
  TYPE_IDEMPOTENCY_ERROR,
  type ErrorEnvelope,
} from '#src/shared/contract/contract.ts';

export interface OutcomeAct {
  /** The response is sent when this resolves. */
  held?: Promise<void>;
  /** No response: the connection is cut. */
  drop?: boolean;
  /** The connection is cut after this many bytes of the body. */
  cutAt?: number;
  /** Sends headers (and the body up to cutAt), then nothing. */
  stall?: boolean;
  /** Called when half of the body is sent. */
  midBody?: () => void;
}

/** A response and what a fault does to it; adapters apply it to a socket or to a fetch. */
export interface SandboxOutcome {
  status: number;
  headers: [string, string][];
  body: Uint8Array | string | null;
  act?: OutcomeAct;
}

export function headerOf(outcome: SandboxOutcome, name: string): string | null {
  const found = outcome.headers.find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found?.[1] ?? null;
}

export function withHeader(headers: [string, string][], name: string, value: string): [string, string][] {
  return [...withoutHeader(headers, name), [name, value]];
}

export function withoutHeader(headers: [string, string][], name: string): [string, string][] {
  return headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
}

export function bodyText(body: SandboxOutcome['body']): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body ?? new Uint8Array());
}

export function bytesOf(body: SandboxOutcome['body']): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
}

/** Adds the headers of every response; a replayed one keeps its own Request-Id. */
export function finished(outcome: SandboxOutcome, requestId: string, now: number): SandboxOutcome {
  const headers: SandboxOutcome['headers'] = [
    ['Request-Id', headerOf(outcome, 'Request-Id') ?? requestId],
    ['Date', new Date(now).toUTCString()],
    ['Cache-Control', 'no-store'],
    ...withoutHeader(outcome.headers, 'Request-Id'),
  ];
  return { ...outcome, headers };
}

/** The error envelope for a thrown error. Anything but a Refusal is a 500, logged without keys or bodies. */
export function refused(error: unknown, requestId: string, now: number): SandboxOutcome {
  const refusal = error instanceof ErrorResponse ? error : internal();
  if (refusal !== error) {
    console.error(`${requestId}: ${error instanceof Error ? (error.stack ?? error.message) : 'not an error'}`);
  }
  const headers: SandboxOutcome['headers'] = [['Content-Type', 'application/json'], ...refusal.headers];
  return finished({ status: refusal.status, headers, body: refusal.envelope(requestId) }, requestId, now);
}

export interface Reply {
  status: number;
  /** Null for no body at all. */
  body: string | null;
  contentType: string | null;
}

export function json(status: number, value: unknown): Reply {
  return { status, body: JSON.stringify(value), contentType: 'application/json' };
}

/** An error response in the contract's envelope (7), thrown where the error is found. */
export class ErrorResponse extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly headers: readonly [string, string][];

  constructor(status: number, type: string, code: string, message: string, headers: [string, string][] = []) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.headers = headers;
  }

  envelope(requestId: string): string {
    const { type, code, message } = this;
    const envelope: ErrorEnvelope = { error: { type, code, message, request_id: requestId } };
    return JSON.stringify(envelope);
  }
}

/** A 400 whose message starts with the name of the invalid parameter, field or header. */
export function invalid(name: string, why: string): ErrorResponse {
  return new ErrorResponse(400, CODE_INVALID_REQUEST, CODE_INVALID_REQUEST, `${name}: ${why}`);
}

/** NUL in a URL: a database can't store or query it. */
export function unstorable(): ErrorResponse {
  const message = 'The address holds the character NUL.';
  return new ErrorResponse(422, CODE_INVALID_REQUEST, CODE_INVALID_REQUEST, message);
}

export function insufficientFunds(message: string): ErrorResponse {
  return new ErrorResponse(400, CODE_INVALID_REQUEST, 'insufficient_funds', message);
}

export function notFound(message: string): ErrorResponse {
  return new ErrorResponse(404, CODE_INVALID_REQUEST, CODE_NOT_FOUND, message);
}

function methodNotAllowed(method: string, allowed: string): ErrorResponse {
  const message = `${method} is not allowed here; allowed: ${allowed}.`;
  return new ErrorResponse(405, CODE_INVALID_REQUEST, 'method_not_allowed', message, [['Allow', allowed]]);
}

export function unauthenticated(): ErrorResponse {
  const message = 'The API key is missing or invalid.';
  return new ErrorResponse(401, CODE_AUTHENTICATION_ERROR, CODE_AUTHENTICATION_ERROR, message);
}

export function keyReused(): ErrorResponse {
  const message = 'This Idempotency-Key was already used with a different payload.';
  return new ErrorResponse(409, TYPE_IDEMPOTENCY_ERROR, CODE_IDEMPOTENCY_KEY_REUSED, message);
}

export function deliveryInProgress(): ErrorResponse {
  const message = 'The delivery is still in progress: its deposit is pending. Replay it once the deposit has settled.';
  return new ErrorResponse(409, CODE_INVALID_REQUEST, 'delivery_in_progress', message);
}

export function tooLarge(limit: number): ErrorResponse {
  return new ErrorResponse(413, CODE_INVALID_REQUEST, 'request_too_large', `The body is larger than ${limit} bytes.`);
}

function internal(): ErrorResponse {
  return new ErrorResponse(
    500,
    'api_error',
    'internal_error',
    'Something went wrong here. Nothing of this request was kept.',
  );
}

/** Refuses requests without a route: a wrong method of an existing path, or an unknown path. Errors go to the caller. */
export function refuseTheRest<E extends Env>(app: Hono<E>, nothingHere: (c: Context<E>) => string): void {
  for (const [path, routes] of groupBy(app.routes, (route) => route.path)) {
    const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, (c) => {
      throw methodNotAllowed(c.req.method, allowed);
    });
  }
  app.notFound((c) => {
    throw notFound(nothingHere(c));
  });
  app.onError((error) => {
    throw error;
  });
}

export type JsonObject = Record<string, unknown>;

const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Parses a body's JSON object (contract 4); otherwise a 400 that names the header or the body. */
export function readJsonObject(bytes: Uint8Array, contentType: string | null): JsonObject {
  const kind = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (kind !== 'application/json') throw invalid('Content-Type', 'must be application/json.');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('body', 'must be valid JSON in UTF-8.');
  }
  if (!isObject(value)) throw invalid('body', 'must be a JSON object.');
  if (isDeeper(value)) throw invalid('body', `is nested deeper than ${JSON_DEPTH_MAX} levels.`);
  return value;
}

export function stringField(body: JsonObject, name: string, max: number): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined || value === null) throw invalid(name, 'is required.');
  if (typeof value !== 'string') throw invalid(name, 'must be a string.');
  if (value.trim() === '') throw invalid(name, 'must not be empty.');
  if (value.length > max) throw invalid(name, `must not be longer than ${max} characters.`);
  if (!isStorable(value)) throw invalid(name, 'contains a character that cannot be stored.');
  return value;
}

/** A positive plain decimal string: no sign, no exponent, no extra leading zero. */
export function readAmountField(body: JsonObject, name: string): string {
  const value = stringField(body, name, 200);
  if (!DECIMAL.test(value)) throw invalid(name, 'must be a plain decimal string such as "12.5".');
  if (/^[0.]*$/.test(value)) throw invalid(name, 'must be greater than zero.');
  return value;
}

export function decimalsOf(amount: string): number {
  const point = amount.indexOf('.');
  return point === -1 ? 0 : amount.length - point - 1;
}
