import type { LookAlike } from '#src/shared/contract/gatewayContract.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type OperationRecord, recordedAt } from '#src/shared/operations/record.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import type { JournalReads } from './ports.ts';
import { type ReadWithdrawals, unknownToJournal } from './withdrawalList.ts';

// While a payment waits, others may pay its recipient with the same API key, outside this dashboard.

/** created_at and Date may come from different clocks. */
const CLOCK_SLACK_SECONDS = 5 * 60;

/**
 * How far back the list must be read to find what was paid since this payment was recorded, Unix seconds. A line of a batch is
 * compared from a day earlier, like with the payments of this journal: `created_at` may be hours behind, and what was listed when
 * the batch was recorded, its maker has confirmed.
 */
export function comparedSince(record: OperationRecord): number {
  const slack = record.batch === undefined ? CLOCK_SLACK_SECONDS : KIND[record.kind].asksAgainWithin;
  return recordedAt(record).service - slack;
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
