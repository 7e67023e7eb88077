import { counted } from '#src/shared/text.ts';

/** "Needs 1 approval: first payment to this address." */
export function approvalWords({ needs, why }: { needs: number; why: readonly string[] }): string {
  const count = `Needs ${counted(needs, 'approval', 'approvals')}`;
  return why.length === 0 ? `${count}.` : `${count}: ${why.join(', ')}.`;
}
