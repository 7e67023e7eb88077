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

/** Whether the record is in the situation that the notice reports. */
const IS_NOW: Partial<Record<NoticeEvent, (record: Changed) => boolean>> = {
  'operation.awaiting': (record) => waitsForApproval(record) && record.attempts.length === 0,
  /** For its maker: sent for the first time, after somebody else approved it. */
  'operation.approved': ({ state, approval, attempts }) =>
    state === 'sending' && (approval?.needs ?? 0) > 0 && attempts.at(-1)?.from.state === 'awaiting',
  'operation.rejected': ({ ending }) => ending?.by === 'reject',
  'operation.lapsed': ({ ending }) => ending?.by === 'lapse',
  'operation.mismatch': isContradicted,
  /** Not while an automatic retry is due. */
  'operation.unconfirmed': (record) =>
    record.state === 'unconfirmed' && record.retryAt === undefined && !isContradicted(record),
  'operation.executed': ({ state, result }) =>
    result !== undefined && (state === 'closed' || state === 'not-sent' || state === 'refused'),
  // The person who pressed Send sees the refusal of the first attempt on the page.
  'operation.refused': ({ state, result, attempts }) =>
    state === 'refused' && result === undefined && attempts.length > 1,
};

/** The status of an accepted withdrawal that failed afterwards; null if it didn't. */
function failedStatus({ state, result }: Changed): string | null {
  const status = state === 'succeeded' ? statusStated(result) : null;
  return status !== null && toneOf(status) === 'alarm' ? status : null;
}

/**
 * While a batch is sent, its own notice (paused or done) covers its payments. A single line raises a notice only for what
 * comes to light later.
 */
function isCoveredByBatchNotice(
  { batch }: Pick<OperationRecord, 'batch'>,
  { state }: Changed,
  event: NoticeEvent,
): boolean {
  return batch !== undefined && (state === 'sending' || state === 'awaiting' || event === 'operation.unconfirmed');
}

/** The notices that a change of an operation raises. Only withdrawals raise any: nothing else moves money out. */
export function noticesOf(
  next: OperationRecord,
  before: Changed,
): Pick<NoticeCause, 'event' | 'subject' | 'episode'>[] {
  if (next.kind !== 'withdrawal') return [];
  const isNew = (event: NoticeEvent) =>
    IS_NOW[event]?.(next) && !IS_NOW[event](before) && !isCoveredByBatchNotice(next, before, event);
  const cause = { subject: next.key, episode: String(next.revision) };
  const causes = NOTICE_EVENT_NAMES.filter(isNew).map((event) => ({ event, ...cause }));
  const [status, id] = [failedStatus(next), next.result?.id ?? null];
  if (status === null || id === null || failedStatus(before) !== null) return causes;
  return [...causes, { event: 'payment.failed', ...failedPayment({ kind: 'withdrawal', id, status }) }];
}
