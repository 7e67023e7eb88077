import type { LookAlike } from '#src/shared/contract/gatewayContract.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type OperationRecord, recordedAt } from '#src/shared/operations/record.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import type { JournalReads } from './ports.ts';
import { type ReadWithdrawals, unknownToJournal } from './withdrawalList.ts';

// While a payment waits, others may pay its recipient with the same API key, outside this dashboard.

/**
 * From when on other payments are compared with this one, Unix seconds: a day before it was recorded, as in a review, because
 * `created_at` may be hours behind the provider's Date. What the review showed, the maker has confirmed.
 */
export function comparedSince(record: OperationRecord): number {
  return recordedAt(record).service - KIND[record.kind].asksAgainWithin;
}

/** Withdrawals to the payment's destination, from a day before it was recorded, that neither this journal nor its maker knows. */
export async function paidOutside(
  reads: Pick<JournalReads, 'keyOfResult'>,
  record: OperationRecord,
  list: ReadWithdrawals,
): Promise<LookAlike[]> {
  const { service, secondSendOf } = record;
  const payment = readWithdrawalBody(record.body);
  if (payment === null) return [];
  const paid = list.paidTo(payment, comparedSince(record)).filter(({ id }) => !secondSendOf.includes(id));
  return unknownToJournal(reads, service, paid);
}
