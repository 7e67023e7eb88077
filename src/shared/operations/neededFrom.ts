import type { Approval, ApprovalList } from '#src/shared/contract/approvalsContract.ts';
import { missingApprovals } from './stateMark.ts';

/** The recipient was paid outside this dashboard: the payment isn't sent until an approver has seen that. */
export function isPaidOutside(unusual: Approval['unusual']): boolean {
  return unusual.some(({ kind }) => kind === 'paid-outside');
}

/** There is another payment to the recipient. The payment isn't sent until an approver has seen that, if the last one hadn't. */
export function hasLookAlike(unusual: Approval['unusual']): boolean {
  return unusual.some(({ kind }) => kind === 'look-alike');
}

/**
 * What this person has to do about a payment that waits: approve it, or send it if it is approved but couldn't be sent
 * automatically. Null: nothing.
 */
export function neededFrom({ view, approvers, unusual }: Approval, person: string): 'approve' | 'send' | null {
  const { operation, approved, allowed, disabled } = view;
  const isApprover = approvers.some((one) => one.person === person);
  if (missingApprovals(operation, approved.length) > 0) return isApprover ? 'approve' : null;
  const mayLookAgain = isApprover || approved.some((one) => one.person === person);
  if (mayLookAgain && (isPaidOutside(unusual) || hasLookAlike(unusual))) return 'approve';
  if (isPaidOutside(unusual)) return null;
  return allowed.includes('send') && disabled['send'] === undefined ? 'send' : null;
}

type WaitingBatch = ApprovalList['batches'][number];

/** As neededFrom(), for a batch: an operator starts it once it has its approvals. */
export function batchNeededFrom(
  { approval }: WaitingBatch,
  { person, canApprove, canSend }: { person: string; canApprove: boolean; canSend: boolean },
): 'approve' | 'send' | null {
  const { maker, approved } = approval;
  if (missingApprovals({ approval }, approved.length) === 0) return canSend ? 'send' : null;
  const isOver = maker === person || approved.some((one) => one.person === person);
  return canApprove && !isOver ? 'approve' : null;
}
