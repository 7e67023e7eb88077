import { Hono, type Context } from 'hono';
import { JOURNAL_HEADER, OPERATIONS_PATH } from '#src/shared/serverPaths.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import { createRoutes } from '#src/server/operations/routes.ts';
import type { Actor } from '#src/server/operations/ports.ts';
import { readEnvelope } from '#src/shared/answers.ts';
import { log, newRequestId, readBody, refuse, refuseStranger } from './guards.ts';
import { machineClock } from './clock.ts';
import type { RequestSessions, Recognised } from './requestSession.ts';
import type { Bindings } from './bindings.ts';
import type { Session } from './session.ts';
import { TEAM_PATH } from '#src/shared/contract/teamContract.ts';
import { createTeamRoutes } from '#src/server/team/routes.ts';
import type { Team } from '#src/server/team/team.ts';

/** An operation with what stands around it, and escapes; an item of the team. */
const OPERATION_LIMIT = 1_000_000;
const ITEM_LIMIT = 2_000_000;

export function serveApi(requestSessions: RequestSessions, operations: Operations, readOnly: boolean): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const handle = createRoutes(operations, newRequestId);

  app.all(`${OPERATIONS_PATH}/*`, async (c) => {
    const admitted = await admit(requestSessions, c);
    if (admitted instanceof Response) return admitted;
    const request = await readRequest(c, OPERATION_LIMIT);
    if (request instanceof Response) return request;
    const cookies = requestSessions.cookies.journal(c.req.header('cookie'));
    const header = c.req.header(JOURNAL_HEADER);
    const answered = await handle(
      { ...request, marks: header === undefined ? cookies : [header, ...cookies] },
      await actorOf(requestSessions, admitted.session, readOnly),
    );
    if (answered.failure)
      log(`${readEnvelope(JSON.stringify(answered.body))?.request_id}: no journal`, answered.failure.cause);
    const headers = new Headers(answered.headers);
    if (admitted.renewal !== null) headers.append('Set-Cookie', admitted.renewal);
    const { mark } = answered;
    if (mark !== null && cookies[0] !== mark)
      headers.append('Set-Cookie', requestSessions.cookies.setJournal(admitted.cookieName, mark));
    return Response.json(answered.body, { status: answered.status, headers });
  });
  return app;
}

export function serveTeam(requestSessions: RequestSessions, team: Team, readOnly: boolean): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const handle = createTeamRoutes(team, newRequestId, (error) => console.error(error), machineClock.mono);
  app.all(`${TEAM_PATH}/*`, async (c) => {
    const admitted = await admit(requestSessions, c);
    if (admitted instanceof Response) return admitted;
    const { session, renewal } = admitted;
    // A key that the service refuses may be a former colleague's.
    if (session.journalOnly) return refuse('read-only', 403, 'read_only', 'The service does not accept this API key.');
    const request = await readRequest(c, ITEM_LIMIT);
    if (request instanceof Response) return request;
    const { account, name: who } = session;
    const answer = await handle(request, { service: requestSessions.service.name, account, who, readOnly });
    const headers = new Headers({ 'Content-Type': 'application/json', ...(renewal && { 'Set-Cookie': renewal }) });
    if (answer.retryAfter !== undefined) headers.set('Retry-After', String(answer.retryAfter));
    return new Response(answer.text, { status: answer.status, headers });
  });
  return app;
}

/** The session of a request that names its account, or why it is refused. */
export async function admit(requestSessions: RequestSessions, c: Context<Bindings>): Promise<Recognised | Response> {
  const found = await requestSessions.recognise(c.req.header('cookie'));
  if (!found) return refuseStranger();
  if (c.req.header('x-account') === found.session.account) return found;
  return refuse('account', 409, 'account_mismatch', 'This request names another account than the session, or none.');
}

async function readRequest(c: Context<Bindings>, limit: number) {
  // Of a read that a page gave up there is no body to wait for.
  const body = c.req.method === 'GET' ? new Uint8Array() : await readBody(c.env.incoming, limit);
  if (body instanceof Response) return body;
  const { pathname, searchParams: query } = new URL(c.req.url);
  return { method: c.req.method, pathname, query, body: new TextDecoder().decode(body) };
}

async function actorOf(requestSessions: RequestSessions, session: Session, readOnly: boolean): Promise<Actor> {
  const { account, key, name, journalOnly } = session;
  return {
    account,
    apiKey: journalOnly ? null : key,
    who: name,
    readOnly,
    clock: journalOnly ? machineClock : await requestSessions.service.clock(key),
  };
}
