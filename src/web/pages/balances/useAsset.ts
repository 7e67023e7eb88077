import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ledgerQueries } from '#src/web/api/listQueries.ts';
import { furtherStatuses } from '#src/shared/overview/openPayments.ts';
import { openPayments } from '#src/web/api/operations/openPayments.ts';
import { OPEN_STATUSES } from '#src/shared/paymentStatus.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { POLLED } from '#src/web/api/polled.ts';
import { ledgerBack, paymentsBack, useRowsBack } from '#src/web/api/paging/rowsBack.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { useSession } from '#src/web/api/session.ts';
import { unpaired } from '#src/shared/statement/ledgerMoves.ts';

/** Days of the chart, and of the months that it overlaps. Withdrawals paid in them may have been created earlier. */
export const CHART_DAYS = 90;
const LEDGER_DAYS = 123;
const WITHDRAWAL_DAYS = 130;
const LEDGER_PAGES = 16;
/** Maximum number of sources whose other leg is loaded. */
const LEGS = 10;
/** As often as the balance, which these payments explain. */
export const POLL_MS = 60_000;
const NONE: readonly Payment[] = [];

export function useAsset(asset: string, enabled: boolean) {
  const { account } = useSession();
  const deposits = usePayments({ kind: 'deposit', asset, days: 0, enabled });
  const withdrawals = usePayments({ kind: 'withdrawal', asset, days: WITHDRAWAL_DAYS, enabled });
  const ledger = useRowsBack(ledgerBack(account, asset), LEDGER_DAYS, { most: LEDGER_PAGES, enabled });
  const lone = useMemo(() => unpaired(ledger.rows ?? []).slice(0, LEGS), [ledger.rows]);
  const legs = useQueries({
    queries: lone.map((source) => ledgerQueries.ofSource(account, source, null)),
    combine: legsIn,
  });
  return {
    deposits,
    withdrawals,
    ledger,
    legs,
    refetch: () => {
      for (const { back, refetch } of [deposits, withdrawals]) {
        if (!back.notOffered) back.refetch();
        refetch();
      }
      if (!ledger.notOffered) ledger.refetch();
    },
  };
}

function legsIn(found: readonly { data: { data: LedgerEntryRow[] } | undefined }[]): LedgerEntryRow[] {
  return found.flatMap(({ data }) => data?.data ?? []);
}

export type AssetData = ReturnType<typeof useAsset>;

interface PaymentsOf {
  kind: PaymentKind;
  asset: string;
  days: number;
  enabled: boolean;
}

function usePayments({ kind, asset, days, enabled }: PaymentsOf) {
  const { account } = useSession();
  const back = useRowsBack(paymentsBack(account, kind, asset), days, { enabled });
  const statuses = useMemo(() => {
    return [...OPEN_STATUSES[kind], ...furtherStatuses(kind, back.rows ?? NONE)];
  }, [kind, back.rows]);
  const options = openPayments(account, kind, statuses, asset);
  const open = useQuery({ ...options, enabled: back.rows !== null, ...POLLED, refetchInterval: POLL_MS });
  return { back, open: open.data, refetch: () => void (back.rows !== null && open.refetch()) };
}
