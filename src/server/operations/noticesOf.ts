import type { NoticeCause } from '#src/server/activity/raiseNotice.ts';
import { NOTICE_EVENT_NAMES, type NoticeEvent } from '#src/shared/noticeEvents.ts';
import { failedPayment } from '#src/shared/notices.ts';
import { statusStated } from '#src/shared/operations/withdrawal.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { isContradicted, type OperationRecord } from '#src/shared/operations/record.ts';

type Changed = Pick<
  OperationRecord,
  'kind' | 'state' | 'reason' | 'retryAt' | 'result' | 'contradiction' | 'attempts' | 'batch' | 'approval' | 'ending'
>;

/** Whether a record is now what people should be told of. */
const IS_NOW: Partial<Record<NoticeEvent, (record: Changed) => boolean>> = {
  'operation.awaiting': (record) => waitsForApproval(record) && record.attempts.length === 0,
  /** Told to its maker: sent for the first time, after somebody else approved it. */
  'operation.approved': ({ state, approval, attempts }) =>
    state === 'sending' && (approval?.needs ?? 0) > 0 && attempts.at(-1)?.from.state === 'awaiting',
  'operation.rejected': ({ ending }) => ending?.by === 'reject',
  'operation.lapsed': ({ ending }) => ending?.by === 'lapse',
  'operation.mismatch': isContradicted,
  /** One that is about to be sent again automatically isn't yet. */
  'operation.unconfirmed': (record) =>
    record.state === 'unconfirmed' && record.retryAt === undefined && !isContradicted(record),
  'operation.executed': ({ state, result }) =>
    result !== undefined && (state === 'closed' || state === 'not-sent' || state === 'refused'),
  // The first attempt's refusal is before the eyes of whoever pressed Send.
  'operation.refused': ({ state, result, attempts }) =>
    state === 'refused' && result === undefined && attempts.length > 1,
};

/** The status of an accepted withdrawal that failed then; null: it hasn't. */
function failedStatus({ state, result }: Changed): string | null {
  const status = state === 'succeeded' ? statusStated(result) : null;
  return status !== null && toneOf(status) === 'alarm' ? status : null;
}

/**
 * A batch pauses or ends, and tells that, whatever becomes of its payments while they are sent. Of one payment of it people are
 * told only what comes to light later.
 */
function isToldByBatch({ batch }: Pick<OperationRecord, 'batch'>, { state }: Changed, event: NoticeEvent): boolean {
  return batch !== undefined && (state === 'sending' || state === 'awaiting' || event === 'operation.unconfirmed');
}

/** What people are told of a change of an operation. Only withdrawals: nothing else is money that left. */
export function noticesOf(
  next: OperationRecord,
  before: Changed,
): Pick<NoticeCause, 'event' | 'subject' | 'episode'>[] {
  if (next.kind !== 'withdrawal') return [];
  const isNew = (event: NoticeEvent) =>
    IS_NOW[event]?.(next) && !IS_NOW[event](before) && !isToldByBatch(next, before, event);
  const of = { subject: next.key, episode: String(next.revision) };
  const causes = NOTICE_EVENT_NAMES.filter(isNew).map((event) => ({ event, ...of }));
  const [status, id] = [failedStatus(next), next.result?.id ?? null];
  if (status === null || id === null || failedStatus(before) !== null) return causes;
  return [...causes, { event: 'payment.failed', ...failedPayment({ kind: 'withdrawal', id, status }) }];
}
