import type { Approval } from '#src/shared/contract/approvalsContract.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { missingApprovals, waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { isUnsentBeforeRestore } from '#src/shared/operations/unsettled.ts';

/** Why this person can't approve it, and who can; undefined if they can. `refusal`: why their roles don't allow it. */
export function whyNotApprove(
  { view, maker, approvers, barred }: Pick<Approval, 'view' | 'maker' | 'approvers' | 'barred'>,
  { person, refusal }: { person: string | null; refusal: string | undefined },
): string | undefined {
  const { operation, approved } = view;
  const names = approvers.map(({ name }) => name);
  const who =
    names.length === 0
      ? 'Nobody else can now.'
      : `Ask ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}.`;
  if (refusal !== undefined) return `${refusal} ${who}`;
  if (maker.person === person) return `You prepared it yourself, so somebody else has to approve it. ${who}`;
  if (barred !== null) return barred;
  const isDone = approved.some((one) => one.person === person);
  if (isDone && missingApprovals(operation, approved.length) > 0) return `You have approved it. ${who}`;
  return undefined;
}

/** False if it can't be sent again, so that an approval would change nothing. */
export function isApprovable({ operation, stopped }: Pick<OperationView, 'operation' | 'stopped'>): boolean {
  return stopped === undefined && !isUnsentBeforeRestore(operation);
}

export const APPROVE_AGAIN = 'Approve again';

/** The button's label. An approval sends a payment only if it still waits. */
export function approveLabel(
  { operation, approved }: Pick<OperationView, 'operation' | 'approved'>,
  person: string | null,
): string {
  const missing = missingApprovals(operation, approved.length);
  const waits = waitsForApproval(operation);
  if (missing === 0 && (!waits || approved.some((one) => one.person === person))) return APPROVE_AGAIN;
  if (!waits) return 'Approve';
  return missing <= 1 ? 'Approve and send' : `Approve (${approved.length + 1} of ${operation.approval?.needs ?? 0})`;
}
