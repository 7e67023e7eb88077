import { Hono } from 'hono';
import { contentHashOf } from '#src/server/operations/contentHash.ts';
import { signedStatement } from '#src/server/people/signatures.ts';
import { WITHDRAWALS_PATH } from '#src/shared/operations/withdrawal.ts';
import { SIGN_TICKET_PATH } from '#src/shared/serverPaths.ts';
import { signTicketRequestSchema } from '#src/shared/contract/approvalsContract.ts';
import type { Bindings } from './bindings.ts';
import { refuseStranger } from './guards.ts';
import type { PeopleCallers, PeopleContext } from './peopleCallers.ts';
import { parsed } from './peopleRequests.ts';
import type { RequestSession, RequestSessions } from './requestSession.ts';

// 500 payments; JSON escapes multiply bytes.
const REQUEST_BYTES_MAX = 2_000_000;

/** Tickets for signing payments: shared/contract/approvalsContract.ts. */
export function serveApprovals(
  { service }: RequestSessions,
  { withSession, signingTicket }: PeopleCallers,
): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.post(SIGN_TICKET_PATH, async (c) => withSession(c, (found) => issueTicket(c, found)));
  return app;

  async function issueTicket(c: PeopleContext, { session }: RequestSession): Promise<Response> {
    const request = await parsed(c, signTicketRequestSchema, REQUEST_BYTES_MAX);
    if (request instanceof Response) return request;
    const { id: binding, account, credential, person } = session;
    if (person === null) return refuseStranger();
    const hashes = request.payments.map(({ key, body, second_send_of: secondSendOf, batch }) => {
      const content = { key, path: WITHDRAWALS_PATH, body, secondSendOf, batch };
      return contentHashOf({ ...content, service: service.name, account, credential, maker: person });
    });
    const statement = signedStatement(request.decision, hashes);
    return signingTicket(c, { person, of: { purpose: 'sign', binding, statement } });
  }
}
