import { createMiddleware } from 'hono/factory';
import type { Bindings } from './gateway.ts';
import { refuse } from './refusal.ts';

const SERVER_PATHS = /^\/(v1|api|session|sandbox|healthz)(\/|$)/;

/** True for the paths that answer JSON; any other GET is the app. */
export function isServerPath(pathname: string): boolean {
  return SERVER_PATHS.test(pathname);
}

/** One canonical origin: pages under another name are redirected to it, the rest is refused (also against DNS rebinding). */
export function guardHost(origin: string) {
  const canonical = new URL(origin).host;
  return createMiddleware<Bindings>(async (c, next) => {
    if (c.req.header('host')?.toLowerCase() === canonical) return next();
    const { pathname, search } = new URL(c.req.url);
    const page = (c.req.method === 'GET' || c.req.method === 'HEAD') && !isServerPath(pathname);
    if (page) return c.redirect(origin + pathname + search, 302);
    return refuse('not-allowed', 421, 'wrong_host', `This gateway answers at ${origin} only.`);
  });
}

/** A page on another port of this host can send the cookie along; it cannot send this origin together with JSON. */
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
