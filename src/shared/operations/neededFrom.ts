import type { Approval } from '#src/shared/contract/approvalsContract.ts';
import { missingApprovals } from './stateMark.ts';

/**
 * What a payment that waits for approval needs of this person: their approval, or that they send it because it couldn't be
 * sent when it had its approvals. Null: nothing.
 */
export function neededFrom({ view, approvers }: Approval, person: string): 'approve' | 'send' | null {
  const { operation, approved, allowed, disabled } = view;
  if (missingApprovals(operation, approved.length) > 0)
    return approvers.some((one) => one.person === person) ? 'approve' : null;
  return allowed.includes('send') && disabled['send'] === undefined ? 'send' : null;
}
