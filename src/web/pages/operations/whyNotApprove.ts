import type { Approval } from '#src/shared/contract/approvalsContract.ts';
import { missingApprovals } from '#src/shared/operations/stateMark.ts';

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
