import { SIGN_TICKET_PATH } from '#src/shared/serverPaths.ts';
import type { PaymentToSign, SignTicketRequest } from '#src/shared/contract/approvalsContract.ts';
import { ticketSchema } from '#src/shared/contract/peopleContract.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { askPasskey } from './passkeys.ts';
import { request } from './query.ts';
import type { Session } from './session.ts';

/**
 * One signature over payments, as they are then recorded: undefined where nobody signs, null if the person cancelled.
 * Throws ApiError or PasskeyProblem.
 */
export async function signPayments(
  { account, person }: Pick<Session, 'account' | 'person'>,
  payments: PaymentToSign[],
): Promise<Proof | null | undefined> {
  if (person === null) return undefined;
  const of: SignTicketRequest = { decision: 'send', payments };
  const call = { method: 'POST', path: SIGN_TICKET_PATH, body: stringifyExact(of), account } as const;
  const { ticket, options } = await request(call, parseWith(ticketSchema));
  const response = await askPasskey(options);
  return response && { ticket, response };
}
