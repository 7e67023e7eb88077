import { type PolicyAnswer, POLICY_UNDO_SECONDS } from '#src/shared/contract/policyContract.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { policyDifferences } from '#src/shared/policy/policyWords.ts';

/**
 * Until when this person can go back to the rules before their own change without confirmation, Unix seconds; null if
 * `policy` isn't those rules, or the last change wasn't theirs.
 */
export function undoableUntil(
  policy: Policy,
  { in_force: inForce, versions }: PolicyAnswer,
  person = '',
): number | null {
  if (inForce === null || inForce.counts_from === null || inForce.proposed_by?.person !== person) return null;
  const former = versions.find(({ number, state }) => state === 'replaced' && number < inForce.number)?.policy;
  const isUndo = former != null && policyDifferences(policy, former).length === 0;
  return isUndo ? inForce.counts_from + POLICY_UNDO_SECONDS : null;
}
