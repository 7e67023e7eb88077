import { dueOf } from '#src/shared/due/dueDates.ts';
import { type ReceivedApproval, useApprovals, type WaitingBatch } from '#src/web/api/approvals.ts';
import { usePayBy } from '#src/web/api/payBy.ts';
import { useSession } from '#src/web/api/session.ts';
import { type NextPayment, useStandingPayments } from '#src/web/api/standingPayments.ts';
import { useToday } from '#src/web/ui/useToday.ts';

/** Items that Home lists as due: dates of standing payments, and waiting payments and batches with a pay-by date. */
export type DueItem = { date: string } & (
  | { kind: 'standing'; next: NextPayment }
  | { kind: 'payment'; approval: ReceivedApproval }
  | { kind: 'batch'; batch: WaitingBatch }
);

export function useDue() {
  const today = useToday();
  const { person } = useSession();
  const standing = useStandingPayments();
  const { data: approvals } = useApprovals();
  const payBy = usePayBy();
  const items: DueItem[] = [
    ...(standing.payments ?? []).map((next) => ({ kind: 'standing' as const, date: next.date, next })),
    ...(approvals?.waiting ?? []).flatMap((approval) => {
      const date = payBy.dateOf(approval.view.operation.key);
      return date === null ? [] : { kind: 'payment' as const, date, approval };
    }),
    ...(approvals?.batches ?? []).flatMap((batch) => {
      const date = payBy.dateOf(batch.batch.id);
      return date === null ? [] : { kind: 'batch' as const, date, batch };
    }),
  ];
  return {
    due: dueOf(items, today),
    today,
    standing: standing.query,
    /** Null with SIGN_IN=key, where nothing waits for approval. */
    payBy: person === null ? null : payBy.query,
  };
}
