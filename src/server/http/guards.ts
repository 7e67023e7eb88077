import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Bindings } from './bindings.ts';
import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { ErrorEnvelope } from '#src/shared/contract/contract.ts';
import { PERSON_HEADER } from '#src/shared/serverPaths.ts';

const SERVER_PATHS = /^\/(v1|api|session|sandbox|healthz|readyz)(\/|$)/;

/** True for the paths that answer JSON; any other GET is the app. */
export function isServerPath(pathname: string): boolean {
  return SERVER_PATHS.test(pathname);
}

/** The origin's port, including a default port, which origins omit. */
export function portOf(origin: string): string {
  const { protocol, port } = new URL(origin);
  return port || (protocol === 'https:' ? '443' : '80');
}

/** One canonical origin: pages under another name are redirected to it, the rest is refused (also against DNS rebinding). */
export function guardHost(origin: string) {
  const { host, hostname } = new URL(origin);
  // A health check or a proxy may name the default port, which a URL leaves out.
  const canonical = new Set([host, `${hostname}:${portOf(origin)}`]);
  return createMiddleware<Bindings>(async (c, next) => {
    if (canonical.has(c.req.header('host')?.toLowerCase() ?? '')) return next();
    const { pathname, search } = new URL(c.req.url);
    const page = (c.req.method === 'GET' || c.req.method === 'HEAD') && !isServerPath(pathname);
    if (page) return c.redirect(origin + pathname + search, 302);
    return refuse('not-allowed', 421, 'wrong_host', `This gateway answers at ${origin} only.`);
  });
}

/** A page on another port of this host can send our cookie, but it can't send both our origin and JSON. */
export function guardOrigin(origin: string) {
  return createMiddleware<Bindings>(async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    if (c.req.header('origin') !== origin)
      return refuse('not-allowed', 403, 'origin_not_allowed', `Only pages of ${origin} may do this.`);
    if (!isJson(c.req.header('content-type')) && !isBareDelete(c.req.raw))
      return refuse('not-allowed', 403, 'content_type_not_allowed', 'The content type must be application/json.');
    return next();
  });
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

function isBareDelete(request: Request): boolean {
  const { method, headers } = request;
  const length = headers.get('content-length') ?? '0';
  return method === 'DELETE' && length === '0' && !headers.has('transfer-encoding') && !headers.has('content-type');
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

// Vite's development client needs inline scripts, inline styles and a web socket. No test uses this policy.
const DEVELOPMENT_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self' ws:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `isHttps`: browsers may remember for a year that this origin is https. */
export function securityHeaders({
  isHttps,
  development,
}: {
  isHttps: boolean;
  development: boolean;
}): [string, string][] {
  return [
    ...(isHttps ? [['Strict-Transport-Security', 'max-age=31536000'] as [string, string]] : []),
    ['Content-Security-Policy', development ? DEVELOPMENT_POLICY : POLICY],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
  ];
}

/** For everything but built assets, so that no data of a session or payment stays in a cache. */
export const NO_STORE: [string, string] = ['Cache-Control', 'no-store'];

/** The exact bytes of a request body; a refusal if the browser cut it off or it exceeds the limit. */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer> | Response> {
  return new Promise((resolve) => {
    const cut = () => resolve(refuse('not-allowed', 400, 'bad_request', 'The request broke off.'));
    // A stream that was destroyed before emits no more events.
    if (incoming.destroyed) cut();
    const parts: Buffer[] = [];
    let size = 0;
    incoming.on('data', (part: Buffer) => {
      size += part.length;
      if (size > limit) resolve(refuse('not-allowed', 413, 'body_too_large', `A body may have ${limit} bytes.`));
      else parts.push(part);
    });
    incoming.on('end', () => resolve(Uint8Array.from(Buffer.concat(parts))));
    incoming.on('error', cut);
    incoming.on('close', () => incoming.complete || cut());
  });
}

/** Why the gateway itself answered. A request that was refused for any reason but `upstream` wasn't forwarded. */
export type GatewayError = 'session' | 'account' | 'read-only' | 'not-allowed' | 'not-ready' | 'upstream';

const GATEWAY_ERROR_HEADER = 'Gateway-Error';

/** A response of the gateway itself, in the contract's error envelope (section 7). `more`: members beside `error`. */
export function refuse(kind: GatewayError, status: number, code: string, message: string, more: object = {}): Response {
  const request_id = newRequestId();
  const type = kind === 'session' ? 'authentication_error' : 'gateway_error';
  const envelope: ErrorEnvelope = { error: { type, code, message, request_id } };
  return Response.json(
    { ...envelope, ...more },
    {
      status,
      headers: { [GATEWAY_ERROR_HEADER]: kind, 'Request-Id': request_id },
    },
  );
}

/** Whether a person caused this request, so that it keeps the session open. */
export function isByPerson(c: Context<Bindings>): boolean {
  return c.req.header(PERSON_HEADER) !== undefined;
}

export function newRequestId(): string {
  return `req_gateway${randomBytes(12).toString('hex')}`;
}

export function refuseStranger(): Response {
  return refuse('session', 401, 'session_required', 'There is no session here, or it has ended. Sign in.');
}
