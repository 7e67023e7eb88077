import { Hono, type Context } from 'hono';
import { JOURNAL_HEADER, OPERATIONS_PATH } from '#src/shared/serverPaths.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import { createOperationsApp } from '#src/server/operations/routes.ts';
import type { Actor } from '#src/server/operations/ports.ts';
import { isByPerson, log, newRequestId, readBody, refuse, refuseStranger } from './guards.ts';
import { machineClock } from './clock.ts';
import type { RequestSessions, RequestSession } from './requestSession.ts';
import type { Bindings } from './bindings.ts';
import { SessionEnded } from '#src/server/people/actor.ts';
import { refusalOf } from '#src/shared/permissions.ts';
import { routeAbility } from './routePermissions.ts';
import { TEAM_PATH } from '#src/shared/contract/teamContract.ts';
import { createTeamApp } from '#src/server/team/routes.ts';
import type { Team } from '#src/server/team/team.ts';

// Larger than the limits of operations and items, since JSON escapes multiply bytes.
const OPERATION_REQUEST_BYTES_MAX = 1_000_000;
const TEAM_REQUEST_BYTES_MAX = 2_000_000;

export function serveOperations(requestSessions: RequestSessions, operations: Operations): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const operationsApp = createOperationsApp(operations, {
    newRequestId,
    reportFailure: (requestId, error) => log(`${requestId}: no journal`, error.cause),
  });

  app.all(`${OPERATIONS_PATH}/*`, async (c) => {
    const admitted = await admit(requestSessions, c);
    if (admitted instanceof Response) return admitted;
    const request = await readRequest(c, OPERATION_REQUEST_BYTES_MAX);
    if (request instanceof Response) return request;
    const cookies = requestSessions.cookies.journal(c.req.header('cookie'));
    const header = c.req.header(JOURNAL_HEADER);
    const actor = await actorOf(requestSessions, admitted);
    const marks = header === undefined ? cookies : [header, ...cookies];
    const response = await ifSessionOpen(() => operationsApp.fetch(request, { actor, marks }));
    const mark = response.headers.get(JOURNAL_HEADER);
    if (mark !== null && cookies[0] !== mark)
      response.headers.append('Set-Cookie', requestSessions.cookies.setJournal(admitted.cookieName, mark));
    return response;
  });
  return app;
}

export function serveTeam(requestSessions: RequestSessions, team: Team): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const teamApp = createTeamApp(team, {
    newRequestId,
    reportFailure: (error) => console.error(error),
    mono: machineClock.mono,
  });

  app.all(`${TEAM_PATH}/*`, async (c) => {
    const admitted = await admit(requestSessions, c);
    if (admitted instanceof Response) return admitted;
    const request = await readRequest(c, TEAM_REQUEST_BYTES_MAX);
    if (request instanceof Response) return request;
    const { session, rights } = admitted;
    const { id, account, name: who, person } = session;
    const actor = { service: requestSessions.service.name, account, session: id, who, person, rights };
    return ifSessionOpen(() => teamApp.fetch(request, { actor }));
  });
  return app;
}

/** A write finds in its own transaction that the session has ended meanwhile. */
async function ifSessionOpen(handle: () => Promise<Response> | Response): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof SessionEnded) return refuseStranger();
    throw error;
  }
}

/** The session of a request that names its account and has the route's right, or why it is refused. */
export async function admit(
  requestSessions: RequestSessions,
  c: Context<Bindings>,
): Promise<RequestSession | Response> {
  const found = await requestSessions.recognise(c.req.header('cookie'), isByPerson(c));
  if (!found) return refuseStranger();
  if (c.req.header('x-account') !== found.session.account)
    return refuse('account', 409, 'account_mismatch', 'This request names another account than the session, or none.');
  const ability = routeAbility(c.req.method, c.req.path);
  if (ability === null) return refuse('not-allowed', 403, 'not_permitted', 'Nobody can do this here.');
  const refusal = refusalOf(ability, found.rights);
  return refusal === null ? found : refuse('read-only', 403, refusal.code, refusal.message);
}

/** The request with its whole body, for the app of an area. */
async function readRequest(c: Context<Bindings>, limit: number): Promise<Request | Response> {
  const { method, url } = c.req;
  // Reads have no body to wait for.
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method });
  // A Request can't be constructed with this method.
  if (method === 'TRACE') return refuse('not-allowed', 405, 'method_not_allowed', 'TRACE is not possible here.');
  const body = await readBody(c.env.incoming, limit);
  return body instanceof Response ? body : new Request(url, { method, body });
}

async function actorOf(requestSessions: RequestSessions, { session, rights }: RequestSession): Promise<Actor> {
  const { id, account, credential, key, name, person } = session;
  const clock = key === null ? machineClock : await requestSessions.service.clock(key);
  return { account, credential, session: id, apiKey: key, who: name, person, rights, clock };
}
