import { knownStatus } from '#src/shared/paymentStatus.ts';
import { revealHidden } from '#src/shared/text.ts';
import type { Operation } from './record.ts';
import { type StateMark, STATES } from './states.ts';
import { statusStated } from './withdrawal.ts';

type Marked = Pick<Operation, 'state' | 'reason'> & Partial<Pick<Operation, 'kind' | 'result' | 'batch' | 'approval'>>;

/** Whether a server is sending it or about to: its state is about to change. */
export function isBeingSent(view: {
  operation: Pick<Operation, 'state'>;
  underWay: boolean;
  waiting: boolean;
}): boolean {
  const { operation, underWay, waiting } = view;
  return operation.state === 'sending' || (underWay && !waiting && STATES[operation.state].waitsFor !== null);
}

/** Facts that the record doesn't have. */
interface Seen {
  /** A server is sending it or about to. */
  beingSent?: boolean;
  /** The payment's status if it was loaded since; undefined if not. */
  payment?: string | null | undefined;
  /** How many people approved it. */
  approvals?: number;
}

/** The state of an operation as shown on every page. */
export function stateMarkOf(record: Marked, { beingSent = false, payment, approvals = 0 }: Seen = {}): StateMark {
  if (beingSent) return STATES.sending.mark;
  if (record.state === 'succeeded' && record.kind === 'withdrawal')
    return paymentMark(payment === undefined ? statusStated(record.result) : payment);
  if (waitsForApproval(record)) return missingApprovals(record, approvals) > 0 ? APPROVAL : APPROVED;
  return record.reason === 'mismatch' ? MISMATCH : STATES[record.state].mark;
}

/** For an accepted withdrawal: the payment's outcome, not the request's. */
function paymentMark(status: string | null): StateMark {
  const known = knownStatus(status);
  if (status === null || known?.isFirst) return { ...STATES.succeeded.mark, tone: 'motion', icon: 'plane' };
  const { word, tone } = known ?? { word: revealHidden(status.slice(0, 60)), tone: 'motion' };
  return { tone, icon: ICONS[tone], chip: word };
}

const ICONS = { proof: 'check', motion: 'plane', alarm: 'cross' } as const;

/** As stateMarkOf(), shortened for a column. */
export function shortStateMarkOf(record: Marked, seen?: Seen): StateMark {
  const mark = stateMarkOf(record, seen);
  const { shortChip } = STATES[record.state];
  return shortChip === undefined ? mark : { ...mark, chip: shortChip };
}

/** Whether it waits for approvals only, not also for a batch. */
export function waitsForApproval({ state, batch, approval }: Pick<Marked, 'state' | 'batch' | 'approval'>): boolean {
  return state === 'awaiting' && batch === undefined && approval !== undefined;
}

/** How many more people must approve it. Whether the approvals so far still count is checked when it is sent. */
export function missingApprovals(
  { approval }: { approval?: { needs: number } | undefined },
  approvals: number,
): number {
  return Math.max(0, (approval?.needs ?? 0) - approvals);
}

/** Whether people other than its maker had to approve it, or have to. */
export function needsApproval({ approval }: Pick<Marked, 'approval'>): boolean {
  return (approval?.needs ?? 0) > 0;
}

const APPROVED = { ...STATES.ready.mark, chip: 'Approved, not sent' };
const APPROVAL = { tone: 'open', icon: 'question', chip: 'Waiting for approval' } as const;
const MISMATCH = { tone: 'alarm', icon: 'triangle', chip: 'Unconfirmed, response differs' } as const;
