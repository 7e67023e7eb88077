import { Hono } from 'hono';
import { isProgramFault, type Queries } from '#src/server/database/sql.ts';
import { readActivity } from '#src/server/activity/readActivity.ts';
import { ACTIVITY_GROUPS, ACTIVITY_LIMIT_MAX } from '#src/shared/contract/activityContract.ts';
import { isAllowed } from '#src/shared/permissions.ts';
import { isStorable } from '#src/shared/text.ts';
import { admit } from './apiRoutes.ts';
import type { Bindings } from './bindings.ts';
import { refuse } from './guards.ts';
import { log } from './log.ts';
import type { RequestSessions } from './requestSession.ts';

const LIMIT = 50;
const UNIX = /^\d{1,10}$/;

/** The activity log of the session's account: shared/contract/activityContract.ts. */
export function serveActivity(requestSessions: RequestSessions, queries: Queries): Hono<Bindings> {
  const app = new Hono<Bindings>();

  app.get('/api/activity', async (c) => {
    const admitted = await admit(requestSessions, c);
    if (admitted instanceof Response) return admitted;
    const { session, rights } = admitted;
    const { group: groupText, who = null, cursor = null, limit = String(LIMIT) } = c.req.query();
    const { created_after: after, created_before: before } = c.req.query();
    const group = ACTIVITY_GROUPS.find((known) => known === groupText) ?? null;
    const isTime = (text: string | undefined) => text === undefined || UNIX.test(text);
    const isLimit = /^\d{1,4}$/.test(limit) && Number(limit) >= 1;
    const isText = isStorable(who ?? '') && isStorable(cursor ?? '');
    if (!isTime(after) || !isTime(before) || !isLimit || !isText || (groupText !== undefined && group === null))
      return refuse('not-allowed', 400, 'invalid_request_error', 'Invalid filter value.');
    // In key mode there are no person ids to filter by, so everybody with the key sees all of it.
    const isOwnOnly = session.person !== null && !isAllowed('read-all-activity', rights);
    const { data, next } = await readActivity(queries, {
      service: requestSessions.service.name,
      account: session.account,
      person: isOwnOnly ? session.person : null,
      group,
      who,
      createdAfter: after === undefined ? null : Number(after),
      createdBefore: before === undefined ? null : Number(before),
      cursor,
      limit: Math.min(Number(limit), ACTIVITY_LIMIT_MAX),
    });
    return c.json({ data, has_more: next !== null, next_cursor: next });
  });

  app.onError((error) => {
    if (isProgramFault(error)) throw error;
    log('No activity', error);
    return refuse('not-ready', 503, 'not_ready', 'The dashboard can’t reach its database. Try again.');
  });
  return app;
}
