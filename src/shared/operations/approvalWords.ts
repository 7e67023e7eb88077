import { counted, revealHidden } from '#src/shared/text.ts';
import { mayHaveLeft } from './attemptWords.ts';
import type { Operation } from './record.ts';
import { missingApprovals } from './stateMark.ts';
import { isUnsentBeforeRestore } from './unsettled.ts';

/** "Needs 1 approval: first payment to this address." */
export function approvalWords({ needs, why }: { needs: number; why: readonly string[] }): string {
  const count = `Needs ${counted(needs, 'approval', 'approvals')}`;
  return why.length === 0 ? `${count}.` : `${count}: ${why.join(', ')}.`;
}

/** What an unconfirmed payment's page says about its approvals. `approvals`: the number of people who approved it. */
export function unconfirmedApprovalWords(record: Operation, approvals: number): string {
  if (isUnsentBeforeRestore(record))
    return 'It waited to be sent when the database was restored. It can’t be sent now, so it needs no approval.';
  const missing = missingApprovals(record, approvals);
  if (missing === 0)
    return 'It was approved and sent, and its outcome is unknown. Approve it again only if Resend says that an approval no longer counts.';
  const sent = approvals === 0 ? 'before it needed approval' : 'when it needed fewer approvals';
  return `It was sent ${sent}, and its outcome is unknown. It can be resent only after ${counted(missing, 'more approval', 'more approvals')}.`;
}

/** True if enough people approved it. A payment that may have left had enough approvals when it was sent. */
export function wasApproved(record: Operation, approvals: number): boolean {
  return approvals > 0 && (mayHaveLeft(record) || missingApprovals(record, approvals) === 0);
}

export const POLICY_CHANGED = 'The approval rules have changed since it was prepared.';
export const RECIPIENT_CHANGED = 'This recipient was confirmed with another name or address before.';

/** About an earlier equal payment: "The same payment was rejected before (25 Nov): “…”." `when`: '' if shown elsewhere. */
export function refusedWords({ by, words }: { by: 'reject' | 'discard'; words: string }, when = ''): string {
  const done = by === 'reject' ? 'rejected' : 'withdrawn';
  return `The same payment was ${done} before${when && ` (${when})`}${words && `: “${revealHidden(words)}”`}.`;
}
