import { Hono } from 'hono';
import type { Approvals } from '#src/server/operations/approvals/approvals.ts';
import { contentHashOf } from '#src/server/operations/contentHash.ts';
import { signedStatement } from '#src/server/people/signatures.ts';
import { WITHDRAWALS_PATH } from '#src/shared/operations/withdrawal.ts';
import { OLD_SIGN_IN } from '#src/server/people/actor.ts';
import type { ServerSession } from '#src/server/people/sessions.ts';
import { refusalOf } from '#src/shared/permissions.ts';
import { SIGN_TICKET_PATH } from '#src/shared/serverPaths.ts';
import { type SignTicketRequest, signTicketRequestSchema } from '#src/shared/contract/approvalsContract.ts';
import type { Bindings } from './bindings.ts';
import { refuse, refuseStranger } from './guards.ts';
import type { PeopleGuards, PeopleContext } from './peopleGuards.ts';
import { parsed, peopleRefusal } from './peopleRequests.ts';
import type { RequestSession, RequestSessions } from './requestSession.ts';

// Room for 500 payments, whose bytes JSON escapes multiply.
const REQUEST_BYTES_MAX = 2_000_000;

/** Tickets for signing payments: shared/contract/approvalsContract.ts. `itemsOf`: null if one of the payments isn't recorded. */
export function serveSigningTickets(
  { service }: RequestSessions,
  itemsOf: Approvals['itemsOf'],
  { withSession, signingTicket }: PeopleGuards,
): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.post(SIGN_TICKET_PATH, async (c) => withSession(c, (found) => issueTicket(c, found)));
  return app;

  async function issueTicket(c: PeopleContext, { session, rights }: RequestSession): Promise<Response> {
    const request = await parsed(c, signTicketRequestSchema, REQUEST_BYTES_MAX);
    if (request instanceof Response) return request;
    const { person } = session;
    if (person === null) return refuseStranger();
    const { decision } = request;
    const refused = refusalOf(decision === 'send' ? 'prepare' : 'approve', rights);
    if (refused !== null) return refuse('not-allowed', 403, refused.code, refused.message);
    if (decision === 'approve' && rights.isOldSignIn) return peopleRefusal('sign_in_again', 403, OLD_SIGN_IN);
    const items =
      decision === 'send' ? ownItems(request, { ...session, person }) : await itemsOf(session.account, request.keys);
    if (items === null) return refuse('not-allowed', 404, 'not_recorded', 'One of these payments isn’t here.');
    const statement = signedStatement({ decision, items, seen: decision === 'send' ? [] : request.seen });
    return signingTicket(c, { person, of: { purpose: 'sign', binding: session.id, statement } });
  }

  function ownItems(
    { payments }: Extract<SignTicketRequest, { decision: 'send' }>,
    { account, credential, person: maker }: Pick<ServerSession, 'account' | 'credential'> & { person: string },
  ): string[] {
    return payments.map(({ key, body, second_send_of: secondSendOf, batch }) => {
      const content = { key, path: WITHDRAWALS_PATH, body, secondSendOf, batch };
      return contentHashOf({ ...content, service: service.name, account, credential, maker });
    });
  }
}
