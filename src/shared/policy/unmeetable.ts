import { areOf, counted, listInWords } from '#src/shared/text.ts';
import { mostApprovals, type Policy } from './policy.ts';

/** Names of people who can approve now; `preparing`: of those who prepare payments, too. */
interface ApproverNames {
  approvers: readonly string[];
  preparing: readonly string[];
}

/** Why some payments could never get their approvals; null if each can. Nobody approves their own. */
export function whyUnmeetable(policy: Policy, { approvers, preparing }: ApproverNames): string | null {
  const asksToConfirm = policy.recipients.unlisted === 'refuse';
  const most = Math.max(mostApprovals(policy), asksToConfirm ? 1 : 0);
  const needed = most + (preparing.length > 0 ? 1 : 0);
  if (most === 0 || approvers.length >= needed) return null;
  const missing = counted(needed - approvers.length, 'more person', 'more people');
  return [
    mostApprovals(policy) === 0
      ? 'Recipients would have to be confirmed by somebody else.'
      : `This asks for ${counted(most, 'approval', 'approvals')}.`,
    approvers.length === 0
      ? 'Nobody can approve payments now.'
      : `Only ${counted(approvers.length, 'person', 'people')} can approve payments now: ${listInWords(approvers)}.`,
    ...(preparing.length > 0 && approvers.length >= most
      ? [
          `${listInWords(preparing)} ${areOf(preparing.length)} an operator, too, and nobody approves their own payments.`,
        ]
      : []),
    `Give ${missing} the role approver first.`,
  ].join(' ');
}
