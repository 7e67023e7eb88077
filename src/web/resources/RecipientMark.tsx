import type { RecipientState } from '#src/shared/contract/recipientsContract.ts';
import { StateChip } from '#src/web/ui/Chip.tsx';

const MARKS = {
  unconfirmed: { tone: 'plain', icon: 'dot', chip: 'Not confirmed' },
  waiting: { tone: 'motion', icon: 'dot', chip: 'Waiting' },
  confirmed: { tone: 'proof', icon: 'check', chip: 'Confirmed' },
  blocked: { tone: 'alarm', icon: 'slash', chip: 'Blocked' },
} as const satisfies Record<RecipientState, unknown>;

/** Whether payments to a recipient count as payments to a confirmed one. */
export function RecipientMark({ state }: { state: RecipientState }) {
  return <StateChip mark={MARKS[state]} big={false} />;
}
