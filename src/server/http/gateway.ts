import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { createCookies, createRequestSessions } from './requestSession.ts';
import { guardHost, guardOrigin, NO_STORE, refuse, securityHeaders } from './guards.ts';
import { logError, log, type RequestFacts } from './log.ts';
import { requestRoute } from './requestRoute.ts';
import { clientOf } from './clientAddress.ts';
import { machineClock } from './clock.ts';
import { createRefusedKeys } from './refusedKeys.ts';
import { servePages } from './assets/pages.ts';
import { serveJobs, serveNotices, serveOperations, serveOverview, serveTeam } from './apiRoutes.ts';
import { serveActivity } from './activityRoutes.ts';
import { serveRelay } from './upstream/relay.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import type { Bindings } from './bindings.ts';
import type { GatewayOptions } from './gatewayOptions.ts';
import { SessionsUnavailable } from '#src/server/people/sessions.ts';
import { servePeople } from './peopleRoutes.ts';
import { serveKeySignIn, serveOwnSession } from './sessionRoutes.ts';

export function createGateway(options: GatewayOptions): (req: IncomingMessage, res: ServerResponse) => void {
  const { origin, service } = options;
  const isHttps = new URL(origin).protocol === 'https:';
  const everywhere = securityHeaders({ isHttps, development: options.development ?? false });
  const requestSessions = createRequestSessions({
    cookies: createCookies(origin),
    sessions: options.sessions,
    service,
    serverAccounts: options.people?.accounts ?? null,
    readOnly: options.readOnly,
    hasNotices: options.notices.hasChannels,
  });

  const refusedKeys = createRefusedKeys(options.clock ?? machineClock);
  const beforeRefusal = (incoming: IncomingMessage) => refusedKeys.delay(clientOf(incoming, options.trustedProxies));

  const app = new Hono<Bindings>();
  const { observe } = options;
  if (observe)
    app.use(async (c, next) => {
      const begun = performance.now();
      await next();
      observe(factsOf(c, begun));
    });
  app.use(async (c, next) => {
    await next();
    // Responses written directly to the socket have them already.
    if (c.res === RESPONSE_ALREADY_SENT) return;
    for (const [name, value] of everywhere) c.res.headers.set(name, value);
    if (!c.res.headers.has(NO_STORE[0])) c.res.headers.set(...NO_STORE);
  });
  // Before the host check, because load balancers use the IP address. Concurrent requests share one read of the journal.
  let health: Promise<Response> | null = null;
  const ask = () => (health ??= healthOf(options.operations).finally(() => (health = null)));
  app.get('/healthz', async () => (await ask()).clone());
  app.get('/readyz', async (c) => {
    if (options.isStopping?.()) return c.json({ ok: false, stopping: true }, 503);
    return (await ask()).clone();
  });
  app.use(guardHost(origin));
  app.use(guardOrigin(origin));
  app.route(
    '/',
    serveRelay(requestSessions, { extraHeaders: [...everywhere, NO_STORE], demo: options.people?.demo ?? null }),
  );
  // For our own responses: the relay compresses the service's itself, and built files are compressed already.
  app.use(compress());
  app.route('/session', serveOwnSession(requestSessions));
  // In people mode, no request can carry an API key.
  if (options.people)
    app.route(
      '/',
      servePeople(requestSessions, {
        ...options.people,
        origin,
        itemsOf: options.operations.approvals.itemsOf,
        readOnly: options.readOnly,
        sendsMail: options.notices.hasMail,
      }),
    );
  else app.route('/session', serveKeySignIn(requestSessions, options, beforeRefusal));
  app.route('/', serveOperations(requestSessions, options.operations, { hasPeople: options.people !== null }));
  app.route('/', serveTeam(requestSessions, options.team));
  app.route('/', serveJobs(requestSessions, options.jobs));
  app.route('/', serveNotices(requestSessions, options.notices));
  app.route('/', serveOverview(requestSessions, options));
  app.route('/', serveActivity(requestSessions, options.queries));
  app.route('/', servePages(requestSessions, options));
  app.notFound(() => refuse('not-allowed', 405, 'method_not_allowed', 'This address takes no such request.'));
  app.onError(fail);

  const broken = (error: unknown) => {
    const isUnreadable = error instanceof RequestError;
    const answer = isUnreadable
      ? refuse('not-allowed', 400, 'bad_request', 'The request could not be read.')
      : fail(error);
    for (const [name, value] of [...everywhere, NO_STORE]) answer.headers.set(name, value);
    return answer;
  };
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: broken });
  return (req, res) => void listener(req, res);
}

function factsOf(c: Context<Bindings>, begun: number): RequestFacts {
  const { method, path } = c.req;
  const { outgoing } = c.env;
  const isSent = c.res === RESPONSE_ALREADY_SENT;
  const sentId = outgoing.getHeader('request-id');
  return {
    method,
    route: requestRoute(method, path),
    status: isSent ? outgoing.statusCode : c.res.status,
    seconds: (performance.now() - begun) / 1_000,
    id: isSent ? (sentId === undefined ? null : String(sentId)) : c.res.headers.get('request-id'),
    person: c.get('person') ?? null,
  };
}

const HEALTH_MS = 3_000;

/** Healthy if the journal answers in time, because no money can be sent without it. */
async function healthOf({ ports }: Operations): Promise<Response> {
  const late = new Promise<never>((_, reject) => setTimeout(reject, HEALTH_MS).unref());
  const ok = await Promise.race([ports.rows.facts(), late]).then(
    () => true,
    () => false,
  );
  return Response.json({ ok }, { status: ok ? 200 : 503 });
}

/** The request may have been forwarded before the failure, so the response must not say that it wasn't. */
function fail(error: unknown): Response {
  if (error instanceof SessionsUnavailable) {
    log('No sessions', error.cause);
    return refuse('not-ready', 503, 'not_ready', 'The dashboard can’t reach its database. Try again.');
  }
  logError(error);
  return refuse('upstream', 500, 'gateway_failed', 'The gateway failed on this request.');
}
