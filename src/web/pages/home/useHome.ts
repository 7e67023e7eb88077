import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { balanceQueries } from '#src/web/api/balances.ts';
import { furtherStatuses, openPayments, type OpenPayments } from '#src/web/api/operations/openPayments.ts';
import { operationsQuery } from '#src/web/api/operations/operations.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type Payment } from '#src/web/api/payments.ts';
import { usePolledQuery } from '#src/web/api/paging/polling.ts';
import { isNotOffered } from '#src/web/api/errors.ts';
import { noResponseInfo } from '#src/web/api/query.ts';
import { paymentsBack, pollInterval, type RowsBack, useRowsBack } from '#src/web/api/paging/rowsBack.ts';
import { useSession } from '#src/web/api/session.ts';
import { teamQuery, useTeam } from '#src/web/api/team.ts';
import { OPEN, useOpenOperations } from '#src/web/api/operations/useOperations.ts';
import { handledSubjects } from '#src/shared/contract/teamContract.ts';
import { knownResultId, type Operation } from '#src/shared/operations/record.ts';
import { unsettledOf } from '#src/shared/operations/unsettled.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { HOME_STATUSES, toneOf } from '#src/shared/paymentStatus.ts';
import { attentionOf, balancesCheck, type Check, isGuess, isLikely, paymentsCheck } from './attention.ts';
import { lastMoves } from '#src/web/resources/usualTimes.ts';
import { PAYMENT_DAYS, useRecentLedger, useStuckAfterHours, useUsualTimes } from '#src/web/resources/useUsualTimes.ts';
import { useWithdrawalStatuses } from '#src/web/api/withdrawalStatuses.ts';

const NONE: readonly Payment[] = [];

export interface HomeList extends RowsBack<Payment> {
  kind: PaymentKind;
}

/** Loads the data for the top of the page; never rejects. */
export function prefetchHome(client: QueryClient, account: string): Promise<unknown> {
  return Promise.all([
    client.prefetchQuery(balanceQueries.list(account)),
    client.prefetchQuery(operationsQuery(account, OPEN)),
    // Payments that a colleague handles don't need attention.
    client.prefetchQuery(teamQuery(account, 'marks')),
    ...(['deposit', 'withdrawal'] as const).flatMap((kind) => [
      client.prefetchInfiniteQuery(paymentsBack(account, kind)),
      client.prefetchQuery(openPayments(account, kind, HOME_STATUSES[kind])),
    ]),
  ]);
}

export function useHome() {
  const { account } = useSession();
  const operations = useOpenOperations();
  const ofBalances = balanceQueries.list(account);
  const balances = useQuery(ofBalances);
  usePolledQuery(ofBalances.queryKey, (failed) => pollInterval(1, failed));
  const deposits = usePayments('deposit');
  const withdrawals = usePayments('withdrawal');
  // Only after the top of the page has loaded.
  const ledger = useRecentLedger(
    balances.data !== undefined && (deposits.list.rows !== null || deposits.list.error !== null),
  );
  const marks = useTeam('marks');
  const hours = useStuckAfterHours();
  const usualOf = useUsualTimes(ledger, [deposits.list, withdrawals.list]);
  const { rows, reached } = ledger;
  const lastMoveOf = useMemo(() => lastMoves({ rows, reached }), [rows, reached]);
  const handled = useMemo(() => handledSubjects(marks.data?.items ?? []), [marks.data]);

  const open = [deposits.open.data, withdrawals.open.data].filter((read) => read !== undefined);
  const found = attentionOf({
    operations: unsettledOf(operations),
    payments: open,
    balances: balances.data,
    handled,
    usualOf,
    lastMoveOf,
    threshold: hours * 3600,
  });
  // Until the ledger shows usual durations and times of failure, list only what needs neither.
  const measuring = !ledger.notOffered && ledger.isLoading;
  const guesses = new Set(measuring ? found.filter(isGuess) : []);
  const checks: Check[] = [
    operationsCheck(operations),
    paymentsCheck('deposit', deposits.open.data, deposits.open.error),
    withdrawals.list.notOffered
      ? {
          ...paymentsCheck('withdrawal', withdrawals.open.data, null),
          words: 'withdrawals sent from here',
          inProgress: false,
        }
      : paymentsCheck('withdrawal', withdrawals.open.data, withdrawals.open.error),
    balancesCheck(balances.data, balances.error),
    ...(marks.isPending ? [{ what: '', state: 'loading', words: '', error: null, readAt: null } as const] : []),
  ];
  return {
    operations,
    balances,
    lists: [deposits.list, withdrawals.list] as const,
    ledger,
    usualOf,
    hours,
    attention: found.filter((each) => !guesses.has(each) || isLikely(each)),
    guesses,
    checks,
    isFetching: [balances, deposits.open, withdrawals.open, deposits.list, withdrawals.list].some(
      ({ isFetching }) => isFetching,
    ),
    refetch: () => {
      void balances.refetch();
      for (const { list, open } of [deposits, withdrawals]) {
        if (!list.notOffered) list.refetch();
        open.refetch();
      }
      if (!ledger.notOffered) ledger.refetch();
    },
  };
}

export type HomeData = ReturnType<typeof useHome>;

/** A journal that was set back or is partly missing may lack operations that need attention. */
function operationsCheck(read: ReturnType<typeof useOpenOperations>): Check {
  const { status, more, setBack, reason } = read;
  const what = 'payments sent from here';
  const error = reason === undefined ? null : new Error(reason);
  if (status === 'loading') return { what, state: 'loading', words: '', error: null, readAt: null };
  const state = status === 'unavailable' || error !== null ? 'failed' : more || setBack ? 'partly' : 'whole';
  return { what, state, words: '', error, readAt: null };
}

/** The newest payments of a kind, and the open and failed ones as found by the service's own filters. */
function usePayments(kind: PaymentKind) {
  const { account } = useSession();
  const back = useRowsBack(paymentsBack(account, kind), PAYMENT_DAYS);
  // The list is not in the contract. Try it again, unless the provider said that it has none.
  const notOffered = kind === 'withdrawal' && back.rows === null && isNotOffered(back.error);
  const recorded = useRecorded(notOffered);
  const list: HomeList = { ...back, ...(notOffered && recorded), kind, notOffered };
  const further = useMemo(() => furtherStatuses(kind, list.rows ?? NONE), [kind, list.rows]);
  const asked = openPayments(account, kind, HOME_STATUSES[kind]);
  const others = openPayments(account, kind, further);
  const first = useQuery({ ...asked, enabled: !notOffered });
  const second = useQuery({ ...others, enabled: further.length > 0 && !notOffered });
  const pause = (failed: boolean) => pollInterval(HOME_STATUSES[kind].length, failed);
  usePolledQuery(asked.queryKey, pause, { enabled: !notOffered });
  usePolledQuery(others.queryKey, pause, { enabled: further.length > 0 && !notOffered });
  const data = useMemo(
    () => (first.data && further.length > 0 ? second.data && together(first.data, second.data) : first.data),
    [first.data, second.data, further.length],
  );
  return {
    list,
    open: {
      data: notOffered ? ofRecorded(recorded) : data,
      error: first.error ?? second.error,
      isFetching: first.isFetching || second.isFetching,
      refetch: () => {
        if (notOffered) return;
        void first.refetch();
        if (further.length > 0) void second.refetch();
      },
    },
  };
}

function together(a: OpenPayments, b: OpenPayments): OpenPayments {
  const [open, failed, partly] = [
    [...a.open, ...b.open],
    [...a.failed, ...b.failed],
    [...a.partly, ...b.partly],
  ];
  return { ...a, readAt: Math.min(a.readAt, b.readAt), open, failed, partly };
}

/** Withdrawals sent from here, loaded one by one: for a service that does not list withdrawals. */
function useRecorded(enabled: boolean): Pick<HomeList, 'rows' | 'meta' | 'isWhole' | 'isLoading'> | null {
  const { account } = useSession();
  const { data, dataUpdatedAt } = useQuery({ ...operationsQuery(account, { kind: 'withdrawal' }), enabled });
  const operations = enabled ? (data?.data.map(({ operation }) => operation) ?? []) : [];
  const statusOf = useWithdrawalStatuses(operations);
  if (!enabled || data === undefined) return null;
  const rows = operations.flatMap((record) => paymentOf(record, statusOf(record)) ?? []);
  const meta = { ...noResponseInfo(), readAt: Math.floor(dataUpdatedAt / 1000) };
  return { rows, meta, isWhole: !data.has_more, isLoading: false };
}

function paymentOf(record: Operation, status: string | null | undefined): Payment | null {
  const id = knownResultId(record);
  const sent = withdrawalFieldsOf(record);
  if (id === null || sent === null || status === undefined) return null;
  return { ...sent, kind: 'withdrawal', id, status, fee: null, created_at: record.firstSent.service };
}

function ofRecorded(recorded: Pick<HomeList, 'rows' | 'meta'> | null): OpenPayments | undefined {
  if (recorded?.rows == null) return undefined;
  const of = (tone: 'motion' | 'alarm') => (recorded.rows ?? []).filter(({ status }) => toneOf(status) === tone);
  return { ...(recorded.meta ?? noResponseInfo()), open: of('motion'), failed: of('alarm'), partly: [] };
}
