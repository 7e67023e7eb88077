import { Hono, type Context } from 'hono';
import { JOURNAL_HEADER, OPERATIONS_PATH } from '#src/lib/serverPaths.ts';
import type { Operations } from '#src/operations/operations.ts';
import { createRoutes } from '#src/operations/routes.ts';
import type { JournalMark } from '#src/operations/rows.ts';
import type { Actor } from '#src/operations/ports.ts';
import { readBody, refuseBody } from './body.ts';
import { machineClock } from './clock.ts';
import type { RequestSessions, Recognised } from './requestSession.ts';
import type { Bindings } from './gateway.ts';
import { newRequestId, refuse, refuseStranger } from './refusal.ts';
import type { Session } from './session.ts';

const BODY_LIMIT = 1_000_000;

/** `/api/operations`: the journal, for whoever is signed in. */
export function serveApi(requestSessions: RequestSessions, operations: Operations, readOnly: boolean): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const handle = createRoutes(operations, newRequestId);

  const answer = async (c: Context<Bindings>): Promise<Response> => {
    const admitted = await admit(requestSessions, c);
    if (admitted instanceof Response) return admitted;
    const { session } = admitted;
    // Of a read that a page gave up there is no body to wait for.
    const body = c.req.method === 'GET' ? new Uint8Array() : await readBody(c.env.incoming, BODY_LIMIT);
    if (!body) return refuseBody(BODY_LIMIT);
    const { pathname, searchParams } = new URL(c.req.url);
    const marks = [
      markIn(c.req.header(JOURNAL_HEADER)),
      markIn(requestSessions.cookies.journal(c.req.header('cookie'))),
    ];
    const request = {
      method: c.req.method,
      pathname,
      query: searchParams,
      body: new TextDecoder().decode(body),
      marks: marks.filter((mark) => mark !== null),
    };
    const answered = await handle(request, await actorOf(requestSessions, session, readOnly));
    const headers = new Headers(answered.headers);
    if (admitted.renewal !== null) headers.append('Set-Cookie', admitted.renewal);
    const { mark } = answered;
    if (mark !== null && !isKnown(mark, marks[1] ?? null))
      headers.append(
        'Set-Cookie',
        requestSessions.cookies.setJournal(admitted.cookieName, `${mark.id} ${mark.position}`),
      );
    return Response.json(answered.body, { status: answered.status, headers });
  };
  app.all(OPERATIONS_PATH, answer);
  app.all(`${OPERATIONS_PATH}/*`, answer);
  return app;
}

/** The session of a request that names its account, or why it is refused. */
export async function admit(requestSessions: RequestSessions, c: Context<Bindings>): Promise<Recognised | Response> {
  const found = await requestSessions.recognise(c.req.header('cookie'));
  if (!found) return refuseStranger();
  if (c.req.header('x-account') === found.session.account) return found;
  return refuse('account', 409, 'account_mismatch', 'This request names another account than the session, or none.');
}

async function actorOf(requestSessions: RequestSessions, session: Session, readOnly: boolean): Promise<Actor> {
  const { account, key, name, journalOnly } = session;
  const clock = journalOnly ? machineClock : await requestSessions.service.clock(key);
  return {
    account,
    apiKey: journalOnly ? null : key,
    who: name,
    readOnly,
    clock: { ...clock, shift: () => clock.wall() - Date.now() },
  };
}

/** Whether the browser's cookie says so already, or something newer. */
function isKnown({ id, position }: JournalMark, told: JournalMark | null): boolean {
  return told?.id === id && told.position >= position;
}

/** "<id> <position>"; null for anything else. */
function markIn(header: string | null | undefined): JournalMark | null {
  const [, id, position] = /^(\S{1,64}) (\d{1,15})$/.exec(header ?? '') ?? [];
  return id === undefined ? null : { id, position: Number(position) };
}
