import { byWhom } from '#src/shared/text.ts';
import type { Operation } from './record.ts';
import { needsApproval } from './stateMark.ts';

const HOW = { reject: 'Rejected', lapse: 'Not approved in time', discard: 'Withdrawn' } as const;

/** How a payment ended that waited for approval, and why, in the person's own words; null if it didn't end like that. */
export function declinedOf(record: Operation): { how: string; words: string } | null {
  const { ending } = record;
  if (!needsApproval(record) || !ending || ending.by === 'absence' || ending.by === 'hand') return null;
  return { how: HOW[ending.by] + byWhom(ending.who), words: ending.by === 'lapse' ? '' : ending.words };
}
