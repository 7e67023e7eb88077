import { useMemo } from 'react';
import { type Payment, paymentOf } from '#src/web/api/payments.ts';
import { ledgerBack, paymentsBack, type RowsBack, useRowsBack } from '#src/web/api/paging/rowsBack.ts';
import type { ResponseInfo } from '#src/web/api/query.ts';
import type { LedgerEntryRow } from '#src/web/api/schemas.ts';
import { useSession } from '#src/web/api/session.ts';
import { useOpenOperations } from '#src/web/api/operations/useOperations.ts';
import { useTeam } from '#src/web/api/team.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { unsettledOf } from '#src/shared/operations/unsettled.ts';
import { isOpenStatus } from '#src/shared/paymentStatus.ts';
import { isUnconfirmed, type PaymentStanding, standingOf } from '#src/web/report/paymentStanding.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import { durationsOf, type UsualTime, usualTimes } from './usualTimes.ts';

export const LEDGER_DAYS = 30;
/** Loaded even if the last month was quiet: usual durations need many payments. */
const LEAST_LEDGER_PAGES = 3;
const LEDGER_PAGES = 24;
/** Home shows a month and compares it with the one before. */
export const PAYMENT_DAYS = 61;
const DEFAULT_HOURS = 1;
const NONE: readonly Payment[] = [];

type PaymentRows = Pick<RowsBack<Payment>, 'rows'>;

/** The ledger as far back as usual times need it. */
export function useRecentLedger(enabled: boolean): RowsBack<LedgerEntryRow> {
  const { account } = useSession();
  return useRowsBack(ledgerBack(account), LEDGER_DAYS, { enabled, least: LEAST_LEDGER_PAGES, most: LEDGER_PAGES });
}

export function useUsualTimes(ledger: RowsBack<LedgerEntryRow>, lists: readonly PaymentRows[]): UsualTime {
  const durations = useMemo(() => durationsOf(ledger.rows ?? []), [ledger.rows]);
  const [deposits, withdrawals] = lists.map(({ rows }) => rows ?? NONE);
  return useMemo(() => {
    const chains = new Map([...(deposits ?? NONE), ...(withdrawals ?? NONE)].map(({ id, chain }) => [id, chain]));
    return usualTimes(durations, (source) => chains.get(source) ?? null);
  }, [durations, deposits, withdrawals]);
}

/** Hours after which a payment is stuck if its usual time is unknown. */
export function useStuckAfterHours(): number {
  const settings = useTeam('settings');
  return settings.data?.items.find(({ id }) => id === 'stuck-after')?.value.hours ?? DEFAULT_HOURS;
}

/** As Home judges the payment. Loads for it what Home loads, if the payment is open. */
export function usePaymentStanding(
  of: PaymentKind,
  row: ListRow,
  { date, readAt }: ResponseInfo,
): { standing: PaymentStanding; isLoading: boolean } {
  const { account } = useSession();
  const payment = paymentOf(of, row);
  const enabled = isOpenStatus(payment.status);
  const ledger = useRecentLedger(enabled);
  const list = useRowsBack(paymentsBack(account, of), PAYMENT_DAYS, { enabled });
  const usualOf = useUsualTimes(ledger, [list]);
  const threshold = useStuckAfterHours() * 3600;
  const now = date ?? readAt;
  const unsettled = unsettledOf(useOpenOperations());
  return {
    standing: isUnconfirmed(row.id, unsettled)
      ? { kind: 'unconfirmed' }
      : standingOf({ payment, now, usual: usualOf(payment), threshold }),
    isLoading: (ledger.isLoading && !ledger.notOffered) || (list.isLoading && !list.notOffered),
  };
}
