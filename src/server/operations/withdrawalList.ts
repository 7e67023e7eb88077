import type { LookAlike } from '#src/shared/contract/gatewayContract.ts';
import { isToSame } from '#src/shared/operations/compare.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { lookAlikeOf, readServiceList } from './checking.ts';
import { type JournalReads, momentOf, passedSince, type Sender, type ServicePort } from './ports.ts';
import { rowsByDestination } from './rowsByDestination.ts';

// The service's list of withdrawals, with which payments are compared before they are sent.

/** Pages of the list to compare with: the latest thousand withdrawals. */
const MOST_PAGES = 10;
/** Accounts whose last list is kept. */
const MOST_KEPT = 50;

/**
 * The service's withdrawals since a time; 'partly' if some may be missing, because there are too many or they are in no order.
 * A service that doesn't offer the list shows none, and payments are sent all the same.
 */
export interface ReadWithdrawals {
  status: 'listed' | 'partly' | 'not-offered';
  /** Those to the payment's destination. `since`: only those created from this time on, Unix seconds. */
  paidTo: (payment: WithdrawalFields, since?: number) => LookAlike[];
}

export type WithdrawalList = ReadWithdrawals | { status: 'unreadable' };

type ListService = Pick<ServicePort, 'read'>;

/** `sinceBy`: how far back to read, from the Date of the answer; all in Unix seconds. */
async function readWithdrawals(
  service: ListService,
  { apiKey }: Pick<Sender, 'apiKey'>,
  sinceBy: (date: number | null) => number,
): Promise<WithdrawalList> {
  let readSince = Number.NEGATIVE_INFINITY;
  const list = await readServiceList((target, timeoutMs) => service.read(apiKey, target, timeoutMs), {
    sinceBy: (date) => (readSince = sinceBy(date)),
    mostPages: MOST_PAGES,
  });
  if (list.status === 'unreadable') return { status: 'unreadable' };
  const mayHavePaid = rowsByDestination(list.status === 'listed' ? list.rows : []);
  return {
    status: list.status === 'listed' && !list.complete ? 'partly' : list.status,
    paidTo: (payment, since = readSince) =>
      mayHavePaid(payment)
        .filter((row) => isToSame(payment, row))
        .map(lookAlikeOf)
        .filter(({ createdAt }) => (createdAt ?? since) >= since),
  };
}

/** `since`: Unix seconds. */
export function readWithdrawalsSince(
  service: ListService,
  actor: Pick<Sender, 'apiKey'>,
  since: number,
): Promise<WithdrawalList> {
  return readWithdrawals(service, actor, () => since);
}

/** For a review: the withdrawals so recent that a payment like them must be confirmed. */
export function readLatestWithdrawals(service: ListService, actor: Pick<Sender, 'apiKey'>): Promise<WithdrawalList> {
  const { asksAgainWithin } = KIND.withdrawal;
  return readWithdrawals(service, actor, (date) => (date === null ? Number.NEGATIVE_INFINITY : date - asksAgainWithin));
}

/** The list's status as a single payment's review states it. */
export function reviewedStatus({ status }: WithdrawalList): 'listed' | 'not-offered' | 'unreadable' {
  return status === 'partly' ? 'listed' : status;
}

/** Those that no operation of the journal made. */
export async function unknownToJournal(
  { keyOfResult }: Pick<JournalReads, 'keyOfResult'>,
  service: string,
  withdrawals: readonly LookAlike[],
): Promise<LookAlike[]> {
  const unknown: LookAlike[] = [];
  for (const withdrawal of withdrawals)
    if ((await keyOfResult(service, withdrawal.id)) === null) unknown.push(withdrawal);
  return unknown;
}

export type WithdrawalsReader = ReturnType<typeof createWithdrawalsReader>;

/**
 * Reads the list for payments that wait for approval. People look at them all the time, so the last list is kept for a while:
 * also the one that was read before sending, so that the page shows what prevented it.
 */
export function createWithdrawalsReader(service: ListService) {
  type Kept = { since: number; at: ReturnType<typeof momentOf>; list: Promise<WithdrawalList> };
  const kept = new Map<string, Kept>();

  /** `maxAgeMs`: a list this old is good enough; 0 reads it now. */
  return (
    actor: Pick<Sender, 'account' | 'apiKey' | 'clock'>,
    since: number,
    maxAgeMs: number,
  ): Promise<WithdrawalList> => {
    const { account, clock } = actor;
    const last = kept.get(account);
    if (last !== undefined && last.since <= since && passedSince(clock, last.at) < maxAgeMs) return last.list;
    const list = readWithdrawalsSince(service, actor, since).then((read) => {
      // Not kept, so that a person who tries again gets it as soon as the service responds.
      if (read.status === 'unreadable' && kept.get(account)?.list === list) kept.delete(account);
      return read;
    });
    kept.delete(account);
    kept.set(account, { since, at: momentOf(clock), list });
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    return list;
  };
}
