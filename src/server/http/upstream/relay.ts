import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { admit } from '#src/server/http/apiRoutes.ts';
import { readBody, refuse } from '#src/server/http/guards.ts';
import type { RequestSessions } from '#src/server/http/requestSession.ts';
import type { DemoPeople } from '#src/server/people/demoPeople.ts';
import type { Bindings } from '#src/server/http/bindings.ts';
import { readHeaders, noAnswerReason, refuseUpstream, ServiceError } from './service.ts';
import { PROVIDER_LISTS, PATHS } from '#src/shared/contract/contract.ts';
import { isPosted } from '#src/shared/operations/kinds.ts';
import { decoded, isIdParameter, isPathParameter } from '#src/shared/paths.ts';

const BODY_LIMIT = 1_000_000;

/**
 * Relays `GET /v1/*` with the session's key, and `/sandbox/*` if the sandbox is embedded. `extraHeaders` are added to every
 * response. `demo`: the sandbox's people in people mode.
 */
export function serveRelay(
  requestSessions: RequestSessions,
  { extraHeaders, demo }: { extraHeaders: [string, string][]; demo: DemoPeople | null },
): Hono<Bindings> {
  const app = new Hono<Bindings>();

  app.all('/v1/*', async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const path = readPath(pathname);
    if (path === null || c.req.method !== 'GET') return refuseRoute(pathname, path !== null);
    const found = await admit(requestSessions, c);
    if (found instanceof Response) return found;
    const { key } = found.session;
    if (key === null) throw new TypeError('A session without an API key was allowed to read.');
    const { outgoing, incoming } = c.env;
    // Cookies, X-Account and an API key sent by the browser are not forwarded.
    const headers = readHeaders(key, incoming.headers.accept);
    const call = { method: 'GET', target: path + search, headers, body: null, attempt: attemptOf(c) };
    try {
      await requestSessions.service.relay(call, outgoing, extraHeaders);
    } catch (error) {
      if (!(error instanceof ServiceError)) console.error(error);
      if (!outgoing.headersSent) return refuseUpstream(noAnswerReason(error));
    }
    return RESPONSE_ALREADY_SENT;
  });

  if (demo)
    app.post('/sandbox/people', async (c) => {
      const seed = await readBody(c.env.incoming, BODY_LIMIT);
      return seed instanceof Response ? seed : demo.createAccount(seed);
    });

  app.all('/sandbox/*', async (c) => {
    if (!requestSessions.service.controls)
      return refuse('not-allowed', 404, 'path_not_allowed', 'There is no sandbox inside this gateway.');
    const { method } = c.req;
    const body = method === 'GET' || method === 'HEAD' ? null : await readBody(c.env.incoming, BODY_LIMIT);
    if (body instanceof Response) return body;
    const { pathname, search } = new URL(c.req.url);
    const headers = { 'Content-Type': 'application/json' };
    const call = { method, target: pathname + search, headers, body, attempt: attemptOf(c) };
    await requestSessions.service.controls(call, c.env.outgoing, extraHeaders);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

function attemptOf(c: Context<Bindings>): string | null {
  return c.req.header('x-attempt') ?? null;
}

function refuseRoute(pathname: string, isRead: boolean): Response {
  // POSTs only go through the journal.
  if (!isRead && !isPosted(pathname))
    return refuse('not-allowed', 404, 'path_not_allowed', 'The API has no such path, or no such ID.');
  const why = 'Only reads are forwarded: whatever moves money goes through /api/operations.';
  const answer = refuse('not-allowed', 405, 'method_not_allowed', why);
  answer.headers.set('Allow', isRead ? 'GET' : '');
  return answer;
}

/** The only paths that are forwarded: balances, the lists, and single items of lists that can be read by id. */
const READS = [
  // Asset codes such as ibc/27394… contain a slash.
  { path: PATHS.balances, takes: isPathParameter },
  ...Object.values(PROVIDER_LISTS).map(({ path, byId }) => ({ path, takes: byId ? isIdParameter : () => false })),
];

/** The path to forward, with its parameter decoded and encoded again; null if it isn't in READS. */
export function readPath(pathname: string): string | null {
  for (const { path, takes } of READS) {
    if (pathname === path) return path;
    const below = pathname.startsWith(`${path}/`) ? pathname.slice(path.length + 1) : '';
    const parameter = below.includes('/') ? '' : decoded(below, '');
    if (takes(parameter)) return `${path}/${encodeURIComponent(parameter)}`;
  }
  return null;
}
