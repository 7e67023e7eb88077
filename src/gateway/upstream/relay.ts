import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { admit } from '#src/gateway/apiRoutes.ts';
import { readBody, refuseBody } from '#src/gateway/body.ts';
import type { RequestSessions } from '#src/gateway/requestSession.ts';
import type { Bindings } from '#src/gateway/gateway.ts';
import { refuse } from '#src/gateway/refusal.ts';
import { allowedMethods } from './routes.ts';
import { callHeaders, refuseUpstream, type Call } from './service.ts';

const BODY_LIMIT = 1_000_000;

/** `GET /v1/*` from the service, with the session's key; `/sandbox/*` where the sandbox is inside. `own` goes on every answer. */
export function serveRelay(requestSessions: RequestSessions, own: [string, string][]): Hono<Bindings> {
  const app = new Hono<Bindings>();

  app.all('/v1/*', async (c) => {
    const refusal = refuseRoute(c);
    if (refusal) return refusal;
    const found = await admit(requestSessions, c);
    if (found instanceof Response) return found;
    const { session, renewal } = found;
    if (session.journalOnly)
      return refuse('read-only', 403, 'journal_only', 'The service does not accept the API key of this session.');
    const call = await toCall(c, callHeaders(c.req.raw.headers, session.key));
    if (!call) return refuseBody(BODY_LIMIT);
    const headers: [string, string][] = renewal ? [...own, ['Set-Cookie', renewal]] : own;
    try {
      return (await requestSessions.service.relay(call, c.env.outgoing, headers)) ?? RESPONSE_ALREADY_SENT;
    } catch (error) {
      console.error(error);
      return c.env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : refuseUpstream(error);
    }
  });

  app.all('/sandbox/*', async (c) => {
    if (!requestSessions.service.controls)
      return refuse('not-allowed', 404, 'path_not_allowed', 'There is no sandbox inside this gateway.');
    const call = await toCall(c, [['Content-Type', 'application/json']]);
    if (!call) return refuseBody(BODY_LIMIT);
    await requestSessions.service.controls(call, c.env.outgoing, own);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

function refuseRoute(c: Context<Bindings>): Response | null {
  const methods = allowedMethods(new URL(c.req.url).pathname);
  if (!methods) return refuse('not-allowed', 404, 'path_not_allowed', 'The contract has no such path.');
  if (methods.includes(c.req.method)) return null;
  const why = 'Only reads are forwarded: whatever moves money goes through /api/operations.';
  const answer = refuse('not-allowed', 405, 'method_not_allowed', why);
  answer.headers.set('Allow', methods.join(', '));
  return answer;
}

/** Null where the body is too large. */
async function toCall(c: Context<Bindings>, headers: [string, string][]): Promise<Call | null> {
  const { pathname, search } = new URL(c.req.url);
  const { method } = c.req;
  const attempt = c.req.header('x-attempt') ?? null;
  const call: Call = { method, target: pathname + search, headers, body: null, attempt };
  if (method === 'GET' || method === 'HEAD') return call;
  const body = await readBody(c.env.incoming, BODY_LIMIT);
  return body && { ...call, body };
}
