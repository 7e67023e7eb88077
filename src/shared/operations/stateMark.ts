import { knownStatus } from '#src/shared/paymentStatus.ts';
import { revealHidden } from '#src/shared/text.ts';
import type { Operation } from './record.ts';
import { type StateMark, STATES } from './states.ts';
import { statusStated } from './withdrawal.ts';

type Marked = Pick<Operation, 'state' | 'reason'> & Partial<Pick<Operation, 'kind' | 'result'>>;

/** Whether a server is sending it or about to: its state is about to change. */
export function isBeingSent(view: {
  operation: Pick<Operation, 'state'>;
  underWay: boolean;
  waiting: boolean;
}): boolean {
  const { operation, underWay, waiting } = view;
  return operation.state === 'sending' || (underWay && !waiting && STATES[operation.state].waitsForPerson);
}

/** The state of an operation as every page says it. `payment`: its status as read since; undefined: it was not. */
export function chipOf(record: Marked, beingSent = false, payment?: string | null): StateMark {
  if (beingSent) return STATES.sending.mark;
  if (record.state === 'succeeded' && record.kind === 'withdrawal')
    return paymentMark(payment === undefined ? statusStated(record.result) : payment);
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

/** The same for a column; the whole of it stands on the operation's page. */
export function shortChipOf(record: Marked, beingSent = false, payment?: string | null): StateMark {
  const mark = chipOf(record, beingSent, payment);
  const { shortChip } = STATES[record.state];
  return shortChip === undefined ? mark : { ...mark, chip: shortChip };
}

const MISMATCH = { tone: 'alarm', icon: 'triangle', chip: 'Unconfirmed, response differs' } as const;

export interface Unsettled {
  key: string;
  /** null: a row that cannot be read, so only that it exists is known. */
  record: Operation | null;
  /** Unix seconds; null where it cannot be read. */
  firstSentAt: number | null;
}

interface Recorded {
  views: readonly { operation: Operation; underWay: boolean; waiting: boolean; now: number }[];
  unreadable: readonly { key: string; firstSentAt: number | null; closed: unknown }[];
}

/** Waits for a person: recorded and not sent, unconfirmed, or unreadable. */
export function unsettledOf({ views, unreadable }: Recorded): Unsettled[] {
  return [
    ...views
      .filter((view) => STATES[view.operation.state].waitsForPerson && !isBeingSent(view) && !isJustSaved(view))
      .map(({ operation }) => ({ key: operation.key, record: operation, firstSentAt: operation.firstSent.service })),
    ...unreadable
      .filter(({ closed }) => closed === null)
      .map(({ key, firstSentAt }) => ({ key, record: null, firstSentAt })),
  ];
}

/** Every send is saved a moment before it goes out; only one that stays so waits for anybody. Milliseconds. */
const JUST_SAVED_MS = 3_000;

/** Whether it was recorded so recently that the server is about to send it. */
export function isJustSaved({ operation, now }: { operation: Operation; now: number }): boolean {
  const { state, attempts, firstSent } = operation;
  return state === 'ready' && attempts.length === 0 && now - firstSent.server < JUST_SAVED_MS;
}
