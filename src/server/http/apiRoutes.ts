import { Hono, type Context } from 'hono';
import { JOURNAL_HEADER, OPERATIONS_PATH, OVERVIEW_PATH } from '#src/shared/serverPaths.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import { createOperationsApp } from '#src/server/operations/routes.ts';
import type { OperationActor } from '#src/server/operations/ports.ts';
import { isByPerson, newRequestId, readBody, refuse, refuseStranger } from './guards.ts';
import { logError, log } from './log.ts';
import { machineClock } from './clock.ts';
import type { RequestSessions, RequestSession } from './requestSession.ts';
import type { Bindings } from './bindings.ts';
import { SessionEnded } from '#src/server/people/actor.ts';
import { refusalOf } from '#src/shared/permissions.ts';
import { routeAbility } from './routeAbilities.ts';
import { TEAM_PATH } from '#src/shared/contract/teamContract.ts';
import { createTeamApp } from '#src/server/team/routes.ts';
import type { Team } from '#src/server/team/team.ts';
import type { Jobs } from '#src/server/jobs/jobs.ts';
import { createJobsApp } from '#src/server/jobs/routes.ts';
import { NOTICES_PATH } from '#src/shared/contract/noticesContract.ts';
import type { Notices } from '#src/server/notices/notices.ts';
import { createNoticesApp } from '#src/server/notices/routes.ts';
import { createOverviewApp, type OverviewAppParts } from '#src/server/overview/routes.ts';
import { APPROVALS_PATH } from '#src/shared/contract/approvalsContract.ts';
import { BATCHES_PATH } from '#src/shared/contract/batchContract.ts';
import { createApprovalsApp } from '#src/server/operations/approvals/routes.ts';
import { createBatchesApp } from '#src/server/operations/batches/routes.ts';
import { JOBS_PATH } from '#src/shared/contract/jobsContract.ts';

// Larger than the limits of operations and items, because JSON escapes multiply bytes.
const OPERATION_REQUEST_BYTES_MAX = 1_000_000;
const BATCH_REQUEST_BYTES_MAX = 2_000_000;
const TEAM_REQUEST_BYTES_MAX = 2_000_000;
const JOB_REQUEST_BYTES_MAX = 10_000;
const NOTICE_REQUEST_BYTES_MAX = 10_000;
// A rate file of 4 MB as base64.
const CLOSE_REQUEST_BYTES_MAX = 6_000_000;

const API_OPTIONS = { newRequestId, reportFailure: (error: unknown) => logError(error), mono: machineClock.mono };

/** `hasPeople`: people sign in as themselves, so payments may need approvals. */
export function serveOperations(
  requestSessions: RequestSessions,
  operations: Operations,
  { hasPeople }: { hasPeople: boolean },
): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const operationsApp = createOperationsApp(operations, {
    ...API_OPTIONS,
    reportFailure: (requestId, error) => log(`${requestId}: no journal`, error.cause),
  });

  const serve = (path: string, area: typeof operationsApp, limit: number): void =>
    void app.all(`${path}/*`, async (c) => {
      // A download is a link, which can't name its account: another account's file isn't found.
      const isDownload = c.req.method === 'GET' && c.req.path.endsWith('/file');
      const admitted = await admit(requestSessions, c, { namesAccount: !isDownload });
      if (admitted instanceof Response) return admitted;
      const request = await readRequest(c, limit);
      if (request instanceof Response) return request;
      const cookies = requestSessions.cookies.journal(c.req.header('cookie'));
      const header = c.req.header(JOURNAL_HEADER);
      const actor = await actorOf(requestSessions, admitted);
      const marks = header === undefined ? cookies : [header, ...cookies];
      const response = await ifSessionOpen(() => area.fetch(request, { actor, marks }));
      const mark = response.headers.get(JOURNAL_HEADER);
      if (mark !== null && cookies[0] !== mark)
        response.headers.append('Set-Cookie', requestSessions.cookies.setJournal(admitted.cookieName, mark));
      return response;
    });
  serve(OPERATIONS_PATH, operationsApp, OPERATION_REQUEST_BYTES_MAX);
  serve(BATCHES_PATH, createBatchesApp(operations, API_OPTIONS), BATCH_REQUEST_BYTES_MAX);
  if (hasPeople) serve(APPROVALS_PATH, createApprovalsApp(operations, API_OPTIONS), BATCH_REQUEST_BYTES_MAX);
  return app;
}

const CLOSED_FILE = new RegExp(`^${TEAM_PATH}/closed-periods/\\w+/file$`);

export function serveTeam(requestSessions: RequestSessions, team: Team): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const teamApp = createTeamApp(team, API_OPTIONS);

  app.all(`${TEAM_PATH}/*`, async (c) => {
    // A download is a link, which can't name its account: another account's file isn't found.
    const isDownload = c.req.method === 'GET' && CLOSED_FILE.test(c.req.path);
    const admitted = await admit(requestSessions, c, { namesAccount: !isDownload });
    if (admitted instanceof Response) return admitted;
    const request = await readRequest(c, TEAM_REQUEST_BYTES_MAX);
    if (request instanceof Response) return request;
    const actor = writerOf(requestSessions, admitted);
    return ifSessionOpen(() => teamApp.fetch(request, { actor }));
  });
  return app;
}

export function serveJobs(requestSessions: RequestSessions, jobs: Jobs): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const jobsApp = createJobsApp(jobs, API_OPTIONS);

  app.all(`${JOBS_PATH}/*`, async (c) => {
    // A download is a link, which can't name its account: another account's job isn't found.
    const isDownload = c.req.method === 'GET' && c.req.path.endsWith('/file');
    const admitted = await admit(requestSessions, c, { namesAccount: !isDownload });
    if (admitted instanceof Response) return admitted;
    const isClose = c.req.path.endsWith('/close');
    const request = await readRequest(c, isClose ? CLOSE_REQUEST_BYTES_MAX : JOB_REQUEST_BYTES_MAX);
    if (request instanceof Response) return request;
    const { key: apiKey } = admitted.session;
    if (apiKey === null) throw new TypeError('A session without an API key was allowed to export.');
    const actor = writerOf(requestSessions, admitted);
    return ifSessionOpen(() => jobsApp.fetch(request, { actor, apiKey }));
  });
  return app;
}

export function serveNotices(requestSessions: RequestSessions, notices: Notices): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const noticesApp = createNoticesApp(notices, API_OPTIONS);

  app.all(`${NOTICES_PATH}/*`, async (c) => {
    const admitted = await admit(requestSessions, c);
    if (admitted instanceof Response) return admitted;
    const request = await readRequest(c, NOTICE_REQUEST_BYTES_MAX);
    if (request instanceof Response) return request;
    const actor = writerOf(requestSessions, admitted);
    return ifSessionOpen(() => noticesApp.fetch(request, { actor }));
  });
  return app;
}

export function serveOverview(requestSessions: RequestSessions, parts: OverviewAppParts): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const overviewApp = createOverviewApp(parts, API_OPTIONS);

  app.all(`${OVERVIEW_PATH}/*`, async (c) => {
    const admitted = await admit(requestSessions, c);
    if (admitted instanceof Response) return admitted;
    const { method, url } = c.req;
    const tag = c.req.header('if-none-match');
    const request = new Request(url, { method, ...(tag !== undefined && { headers: { 'If-None-Match': tag } }) });
    const { account, key: apiKey } = admitted.session;
    if (apiKey === null) throw new TypeError('A session without an API key was allowed to read.');
    return overviewApp.fetch(request, { account: { service: requestSessions.service.name, account, apiKey } });
  });
  return app;
}

/** The actor of a write by this session. */
function writerOf({ service }: RequestSessions, { session, rights }: RequestSession) {
  const { id, account, name: who, person } = session;
  return { service: service.name, account, session: id, who, person, rights };
}

/** Answers 401 if a write found, in its own transaction, that the session has ended. */
async function ifSessionOpen(handle: () => Promise<Response> | Response): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof SessionEnded) return refuseStranger();
    throw error;
  }
}

/** The session of a request that has the route's right and names its account, or why it is refused. */
export async function admit(
  requestSessions: RequestSessions,
  c: Context<Bindings>,
  { namesAccount = true } = {},
): Promise<RequestSession | Response> {
  const found = await requestSessions.recognise(c.req.header('cookie'), isByPerson(c));
  if (!found) return refuseStranger();
  c.set('person', found.session.person);
  if (namesAccount && c.req.header('x-account') !== found.session.account)
    return refuse('account', 409, 'account_mismatch', 'This request names another account than the session, or none.');
  const ability = routeAbility(c.req.method, c.req.path);
  if (ability === null) return refuse('not-allowed', 403, 'not_permitted', 'Nobody can do this here.');
  const refusal = refusalOf(ability, found.rights);
  if (refusal === null) return found;
  const kind = refusal.code === 'read_only' ? 'read-only' : 'not-allowed';
  return refuse(kind, 403, refusal.code, refusal.message);
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

async function actorOf(requestSessions: RequestSessions, { session, rights }: RequestSession): Promise<OperationActor> {
  const { id, account, credential, key, name, person } = session;
  const clock = key === null ? machineClock : await requestSessions.service.clock(key);
  return { account, credential, session: id, apiKey: key, who: name, person, rights, clock };
}
