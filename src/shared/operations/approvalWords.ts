import { counted, revealHidden } from '#src/shared/text.ts';

/** "Needs 1 approval: first payment to this address." */
export function approvalWords({ needs, why }: { needs: number; why: readonly string[] }): string {
  const count = `Needs ${counted(needs, 'approval', 'approvals')}`;
  return why.length === 0 ? `${count}.` : `${count}: ${why.join(', ')}.`;
}

export const POLICY_CHANGED = 'The approval rules have changed since it was prepared.';

/** About an earlier equal payment: "The same payment was rejected before (25 Nov): “…”." `when`: '' if shown elsewhere. */
export function refusedWords({ by, words }: { by: 'reject' | 'discard'; words: string }, when = ''): string {
  const done = by === 'reject' ? 'rejected' : 'withdrawn';
  return `The same payment was ${done} before${when && ` (${when})`}${words && `: “${revealHidden(words)}”`}.`;
}
