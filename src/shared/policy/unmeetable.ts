import { areOf, counted, listInWords } from '#src/shared/text.ts';
import { mostApprovals, type Policy } from './policy.ts';

/** Names of people who can approve now; `preparing`: those of them who also prepare payments. */
interface ApproverNames {
  approvers: readonly string[];
  preparing: readonly string[];
}

/** How many more people must be able to approve, so that every payment can get its approvals. Nobody approves their own. */
export function missingApprovers(policy: Policy, { approvers, preparing }: ApproverNames): number {
  const most = mostNeeded(policy);
  return most === 0 ? 0 : Math.max(0, most + (preparing.length > 0 ? 1 : 0) - approvers.length);
}

/** The most approvals that a payment can need; 1 if recipients only have to be confirmed, as approvers do that too. */
function mostNeeded(policy: Policy): number {
  return Math.max(mostApprovals(policy), policy.recipients.unlisted === 'refuse' ? 1 : 0);
}

/** Why some payments could never get their approvals; null if each can. */
export function whyUnmeetable(policy: Policy, names: ApproverNames): string | null {
  const { approvers, preparing } = names;
  const most = mostNeeded(policy);
  const missing = missingApprovers(policy, names);
  if (missing === 0) return null;
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
    `Give ${counted(missing, 'more person', 'more people')} the role approver first.`,
  ].join(' ');
}
