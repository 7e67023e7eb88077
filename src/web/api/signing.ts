import { SIGN_TICKET_PATH } from '#src/shared/serverPaths.ts';
import type { PaymentToSign, SignTicketRequest } from '#src/shared/contract/approvalsContract.ts';
import { ticketSchema } from '#src/shared/contract/peopleContract.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { askPasskey } from './passkeys.ts';
import { request } from './query.ts';
import type { Session } from './session.ts';

/** Whether people sign payments with passkeys. The sandbox's demo people have none. */
export function signsByPasskey({ person, service }: Pick<Session, 'person' | 'service'>): boolean {
  return person !== null && service !== 'sandbox';
}

/**
 * One signature over payments, exactly as they will be recorded; undefined if none is needed, null if the person cancelled.
 * Throws ApiError or PasskeyProblem.
 */
export async function signPayments(
  { account, person }: Pick<Session, 'account' | 'person'>,
  payments: PaymentToSign[],
): Promise<Proof | null | undefined> {
  return person === null ? undefined : sign(account, { decision: 'send', payments });
}

/** One signature over other people's recorded payments; null if the person cancelled. Throws ApiError or PasskeyProblem. */
export function signApproval(account: string, keys: string[], seen: string[]): Promise<Proof | null> {
  return sign(account, { decision: 'approve', keys, seen });
}

async function sign(account: string, of: SignTicketRequest): Promise<Proof | null> {
  const call = { method: 'POST', path: SIGN_TICKET_PATH, body: stringifyExact(of), account } as const;
  const { ticket, options } = await request(call, parseWith(ticketSchema));
  const response = await askPasskey(options);
  return response && { ticket, response };
}
