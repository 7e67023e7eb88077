import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { IDEMPOTENCY_KEY_HEADER } from '#src/api/contract.ts';
import { readBody, refuseBody } from './body.ts';
import type { Desk } from './desk.ts';
import type { Bindings } from './gateway.ts';
import { refuse, refuseStranger } from './refusal.ts';
import { createRepeats } from './repeats.ts';
import { allowedMethods } from './routes.ts';
import { callHeaders, refuseUpstream, type Call } from './service.ts';

const BODY_LIMIT = 1_000_000;
const REPEAT_REFUSED =
  'This request arrived twice. The first may have been forwarded, the second was not. What became of it is not known.';

/** `/v1/*` from the service, with the session's key; `/sandbox/*` where the sandbox is inside. `own` goes on every answer. */
export function serveRelay(desk: Desk, own: [string, string][], readOnly: boolean): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const repeats = createRepeats(Date.now);

  app.all('/v1/*', async (c) => {
    const attempt = c.req.method === 'POST' ? (c.req.header('x-attempt') ?? '') : '';
    const isRepeat = repeats.arrived(attempt);
    const admitted = await admit(c);
    if (admitted instanceof Response) {
      if (isRepeat) return refuse('upstream', 502, 'repeat_refused', REPEAT_REFUSED);
      repeats.forget(attempt);
      return admitted;
    }
    const { call, headers } = admitted;
    try {
      return (await desk.service.relay(call, c.env.outgoing, headers)) ?? RESPONSE_ALREADY_SENT;
    } catch (error) {
      console.error(error);
      return c.env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : refuseUpstream(error);
    }
  });

  /** The call as it may be forwarded, and the headers of its answer; or why it is not. */
  async function admit(c: Context<Bindings>): Promise<Response | { call: Call; headers: [string, string][] }> {
    const refusal = refuseRoute(c);
    if (refusal) return refusal;
    const found = await desk.recognise(c.req.header('cookie'));
    if (!found) return refuseStranger();
    const { session, renewal } = found;
    if (c.req.header('x-account') !== session.account)
      return refuse(
        'account',
        409,
        'account_mismatch',
        'This request names another account than the session, or none.',
      );
    if (readOnly && c.req.method === 'POST')
      return refuse('read-only', 403, 'read_only', 'This gateway only reads. Nothing was sent to the service.');
    if (headerCount(c, IDEMPOTENCY_KEY_HEADER) > 1)
      return refuse('not-allowed', 400, 'invalid_request_error', `${IDEMPOTENCY_KEY_HEADER} may be given once.`);
    const call = await toCall(c, callHeaders(c.req.raw.headers, session.key));
    if (!call) return refuseBody(BODY_LIMIT);
    return { call, headers: renewal ? [...own, ['Set-Cookie', renewal]] : own };
  }

  app.all('/sandbox/*', async (c) => {
    if (!desk.service.controls)
      return refuse('not-allowed', 404, 'path_not_allowed', 'There is no sandbox inside this gateway.');
    const call = await toCall(c, [['Content-Type', 'application/json']]);
    if (!call) return refuseBody(BODY_LIMIT);
    await desk.service.controls(call, c.env.outgoing, own);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

function refuseRoute(c: Context<Bindings>): Response | null {
  const methods = allowedMethods(new URL(c.req.url).pathname);
  if (!methods) return refuse('not-allowed', 404, 'path_not_allowed', 'The contract has no such path.');
  if (methods.includes(c.req.method)) return null;
  const answer = refuse('not-allowed', 405, 'method_not_allowed', 'The contract has no such method on this path.');
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

function headerCount(c: Context<Bindings>, name: string): number {
  const raw = c.env.incoming.rawHeaders;
  return raw.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name.toLowerCase()).length;
}
