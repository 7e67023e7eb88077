import type { LookAlike } from '#src/shared/contract/gatewayContract.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type OperationRecord, recordedAt } from '#src/shared/operations/record.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import type { JournalReads } from './ports.ts';
import { type ReadWithdrawals, unknownToJournal } from './withdrawalList.ts';

// While a payment waits, others may pay its recipient with the same API key, outside this dashboard.

/**
 * How far back the list must be read to find what was paid since this payment was recorded, Unix seconds. As far as a review
 * asks about earlier payments: `created_at` may be hours behind the provider's Date, and what a review showed is known to the maker.
 */
export function comparedSince(record: OperationRecord): number {
  return recordedAt(record).service - KIND[record.kind].asksAgainWithin;
}

/** Withdrawals to the payment's destination since it was recorded that neither this journal nor the payment's maker knows. */
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
