import type { Operation } from './record.ts';

export type VerdictTone = 'plain' | 'motion' | 'open' | 'proof' | 'alarm';
export type VerdictIcon = 'dot' | 'plane' | 'question' | 'check' | 'cross' | 'slash' | 'dash' | 'triangle';

/** State as icon and word. */
export interface StateMark {
  tone: VerdictTone;
  icon: VerdictIcon;
  chip: string;
}

type Marked = Pick<Operation, 'state' | 'reason'>;

/** Whether some server is sending it, or about to by a person's word: what its record says now is over in a moment. */
export function isBeingSent(view: {
  operation: Pick<Operation, 'state'>;
  underWay: boolean;
  waiting: boolean;
}): boolean {
  const { operation, underWay, waiting } = view;
  return operation.state === 'sending' || (underWay && !waiting && OPEN.has(operation.state));
}

const OPEN: ReadonlySet<Operation['state']> = new Set(['ready', 'unconfirmed']);

/** The state of an operation as every page says it. */
export function chipOf({ state, reason }: Marked, beingSent = false): StateMark {
  if (beingSent) return CHIPS.sending;
  return reason === 'mismatch' ? MISMATCH : CHIPS[state];
}

/** The same for a column; the whole of it stands on the operation's page. */
export function shortChipOf(record: Marked, beingSent = false): StateMark {
  const mark = chipOf(record, beingSent);
  return record.state === 'closed' ? { ...mark, chip: 'Closed by hand' } : mark;
}

const CHIPS: Record<Operation['state'], StateMark> = {
  ready: { tone: 'plain', icon: 'dot', chip: 'Recorded, not sent' },
  sending: { tone: 'motion', icon: 'plane', chip: 'Sending' },
  unconfirmed: { tone: 'open', icon: 'question', chip: 'Unconfirmed' },
  succeeded: { tone: 'proof', icon: 'check', chip: 'Accepted by the service' },
  refused: { tone: 'alarm', icon: 'cross', chip: 'Refused' },
  'not-sent': { tone: 'plain', icon: 'slash', chip: 'Not sent' },
  closed: { tone: 'plain', icon: 'dash', chip: 'Closed by hand, outcome not proven here' },
};
const MISMATCH = { tone: 'alarm', icon: 'triangle', chip: 'Unconfirmed, answer differs' } as const;
