import { groupBy } from '#src/shared/groupBy.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { missingApprovals } from '#src/shared/operations/stateMark.ts';
import type { JournalReads } from '#src/server/operations/ports.ts';

type ApprovalReads = Pick<JournalReads, 'approvalsOf'>;

/** Returns the payments that have as many valid approvals as their records ask for; the rules in force are applied at the send. */
export async function withEnoughApprovals(
  { approvalsOf }: ApprovalReads,
  waiting: readonly OperationRecord[],
): Promise<OperationRecord[]> {
  const counting = (await approvalsOf(waiting.map(({ key }) => key))).filter(({ isValid }) => isValid);
  const approvers = groupBy(counting, ({ key }) => key);
  return waiting.filter((record) => missingApprovals(record, approvers.get(record.key)?.length ?? 0) === 0);
}

/** The batches of these in which every waiting payment has enough approvals. */
export async function approvedBatches<T extends { id: string }>(
  reads: ApprovalReads & { batches: Pick<JournalReads['batches'], 'linesOf'> },
  batches: readonly T[],
): Promise<T[]> {
  const approved: T[] = [];
  for (const batch of batches) {
    const lines = (await reads.batches.linesOf(batch.id)).flatMap(({ record }) => record ?? []);
    const waiting = lines.filter(({ state }) => state === 'awaiting');
    const enough = await withEnoughApprovals(reads, waiting);
    if (waiting.length > 0 && enough.length === waiting.length) approved.push(batch);
  }
  return approved;
}
