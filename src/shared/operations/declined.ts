import { byWhom } from '#src/shared/author.ts';
import type { Operation } from './record.ts';
import { needsApproval } from './stateMark.ts';

const HOW = { reject: 'Rejected', lapse: 'Expired', discard: 'Withdrawn' } as const;

/** "Rejected by Bo". `words`: the person's own. */
export interface Declined {
  how: string;
  by: string;
  words: string;
}

/** How a payment ended that waited for approval, and why; null if it didn't end like that. */
export function declinedOf(record: Operation): Declined | null {
  const { ending } = record;
  if (!needsApproval(record) || !ending || ending.by === 'absence' || ending.by === 'hand') return null;
  return { how: HOW[ending.by], by: byWhom(ending), words: ending.by === 'lapse' ? '' : ending.words };
}
