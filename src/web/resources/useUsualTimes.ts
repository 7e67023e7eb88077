import { paymentOf } from '#src/shared/overview/payment.ts';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { useOpenOperations } from '#src/web/api/operations/useOperations.ts';
import { useOverview, useUsualTime } from '#src/web/api/overview.ts';
import { useTeam } from '#src/web/api/team.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { unsettledOf } from '#src/shared/operations/unsettled.ts';
import { isOpenStatus } from '#src/shared/paymentStatus.ts';
import {
  DEFAULT_STUCK_HOURS,
  isUnconfirmed,
  type PaymentProgress,
  paymentProgressOf,
} from '#src/shared/overview/paymentStanding.ts';
import type { ListRow } from '#src/web/list/fields.tsx';

/** Hours after which a payment is stuck if its usual time is unknown. */
export function useStuckAfterHours(): number {
  const settings = useTeam('settings');
  return settings.data?.items.find(({ id }) => id === 'stuck-after')?.value.hours ?? DEFAULT_STUCK_HOURS;
}

/** How Home rates the payment's progress, by the usual times in Home's data. */
export function usePaymentStanding(
  kind: PaymentKind,
  row: ListRow,
  { date, readAt }: ResponseInfo,
): { standing: PaymentProgress; isLoading: boolean } {
  const payment = paymentOf(kind, row);
  const { data, isPending } = useOverview(isOpenStatus(payment.status));
  const usualOf = useUsualTime(data);
  const threshold = useStuckAfterHours() * 3600;
  const now = date ?? readAt;
  const unsettled = unsettledOf(useOpenOperations());
  const isMeasuring = data === undefined ? isPending : data.ledger.is_loading && !data.ledger.not_offered;
  return {
    standing: isUnconfirmed(row.id, unsettled)
      ? { kind: 'unconfirmed' }
      : paymentProgressOf({ payment, now, usual: usualOf(payment), threshold }),
    isLoading: isOpenStatus(payment.status) && isMeasuring,
  };
}
