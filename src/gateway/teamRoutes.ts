import { Hono } from 'hono';
import { TEAM_PATH } from '#src/api/teamContract.ts';
import { createTeamRoutes } from '#src/team/routes.ts';
import type { Team } from '#src/team/team.ts';
import { admit } from './apiRoutes.ts';
import { readBody, refuseBody } from './body.ts';
import type { RequestSessions } from './requestSession.ts';
import type { Bindings } from './gateway.ts';
import { newRequestId, refuse } from './refusal.ts';

/** An item, what stands around it, and escapes. */
const BODY_LIMIT = 2_000_000;

/** `/api/team`: what the people of an account share, for whoever is signed in. */
export function serveTeam(requestSessions: RequestSessions, team: Team, readOnly: boolean): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const handle = createTeamRoutes(team, newRequestId, (error) => console.error(error));
  app.all(`${TEAM_PATH}/*`, async (c) => {
    const admitted = await admit(requestSessions, c);
    if (admitted instanceof Response) return admitted;
    const { session, renewal } = admitted;
    // A key that the service refuses may be a former colleague's.
    if (session.journalOnly) return refuse('read-only', 403, 'read_only', 'The service does not accept this API key.');
    // Of a read that a page gave up there is no body to wait for.
    const body = c.req.method === 'GET' ? new Uint8Array() : await readBody(c.env.incoming, BODY_LIMIT);
    if (!body) return refuseBody(BODY_LIMIT);
    const { pathname, searchParams: query } = new URL(c.req.url);
    const request = { method: c.req.method, pathname, query, body: new TextDecoder().decode(body) };
    const { account, name: who } = session;
    const answer = await handle(request, { service: requestSessions.service.name, account, who, readOnly });
    const headers = new Headers({ 'Content-Type': 'application/json', ...(renewal && { 'Set-Cookie': renewal }) });
    return new Response(answer.text, { status: answer.status, headers });
  });
  return app;
}
