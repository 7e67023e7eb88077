import type { LookAlike } from '#src/shared/contract/gatewayContract.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { type OperationRecord, recordedAt } from '#src/shared/operations/record.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { listedByDestination } from './batches/listed.ts';
import { lookAlikeOf, readServiceList } from './checking.ts';
import { type JournalReads, momentOf, passedSince, type Sender, type ServicePort } from './ports.ts';

// While a payment waits, others may pay its recipient with the same API key, outside this dashboard.

/** Pages of the service's list to compare with: the latest thousand withdrawals. */
const MOST_PAGES = 10;
/** created_at and Date may come from different clocks. */
const CLOCK_SLACK_SECONDS = 5 * 60;
/** Accounts whose last list is kept. */
const MOST_KEPT = 50;

/**
 * The service's withdrawals since a time, perhaps with earlier ones; 'partly' if some may be missing, because there are too many
 * or they are in no order. A service that doesn't offer the list shows none, and payments are sent all the same.
 */
export type WithdrawalsSince =
  | { status: 'listed' | 'partly' | 'not-offered'; toSame: (sent: WithdrawalFields) => LookAlike[] }
  | { status: 'unreadable' };

/** How far back the list must be read to find what was paid since this payment was recorded, Unix seconds. */
export function listedFrom(record: OperationRecord): number {
  return recordedAt(record).service - CLOCK_SLACK_SECONDS;
}

export async function readWithdrawalsSince(
  service: ServicePort,
  { apiKey }: Sender,
  since: number,
): Promise<WithdrawalsSince> {
  const read = (target: string, timeoutMs: number) => service.read(apiKey, target, timeoutMs);
  const list = await readServiceList(read, { sinceBy: () => since, mostPages: MOST_PAGES });
  if (list.status === 'unreadable') return { status: 'unreadable' };
  const toSame = listedByDestination(list.status === 'listed' ? list.rows : []);
  const status = list.status === 'listed' && !list.complete ? 'partly' : list.status;
  return { status, toSame: (sent) => toSame(sent).map(lookAlikeOf) };
}

/** Withdrawals to the payment's destination since it was recorded that neither this journal nor the payment's maker knows. */
export async function paidOutside(
  { keyOfResult }: Pick<JournalReads, 'keyOfResult'>,
  record: OperationRecord,
  list: Exclude<WithdrawalsSince, { status: 'unreadable' }>,
): Promise<LookAlike[]> {
  const { service, body, secondSendOf } = record;
  const sent = readWithdrawalBody(body);
  const since = listedFrom(record);
  const outside: LookAlike[] = [];
  for (const listed of sent === null ? [] : list.toSame(sent)) {
    if ((listed.createdAt ?? since) < since || secondSendOf.includes(listed.id)) continue;
    if ((await keyOfResult(service, listed.id)) === null) outside.push(listed);
  }
  return outside;
}

export type WithdrawalsReader = ReturnType<typeof createWithdrawalsReader>;

/** Reads the list for payments that wait for approval. People look at them all the time, so the last list is kept for a while. */
export function createWithdrawalsReader(service: ServicePort) {
  type Kept = { since: number; at: ReturnType<typeof momentOf>; list: Promise<WithdrawalsSince> };
  const kept = new Map<string, Kept>();

  /** `maxAgeMs`: a list this old is good enough; 0 reads it now. */
  return (actor: Sender, since: number, maxAgeMs: number): Promise<WithdrawalsSince> => {
    const { account, clock } = actor;
    const last = kept.get(account);
    if (last !== undefined && last.since <= since && passedSince(clock, last.at) < maxAgeMs) return last.list;
    const list = readWithdrawalsSince(service, actor, since);
    kept.delete(account);
    kept.set(account, { since, at: momentOf(clock), list });
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    return list;
  };
}
