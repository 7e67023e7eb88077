import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApprovals } from '#src/web/api/approvals.ts';
import { pausedBatchesQuery } from '#src/web/api/batches.ts';
import { operationsQuery } from '#src/web/api/operations/operations.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { OverviewPayments } from '#src/shared/contract/overviewContract.ts';
import { overviewList, overviewQuery, useLastMove, useOverview, useUsualTime } from '#src/web/api/overview.ts';
import { apiErrorOf, type ReadProgress, readProgressOf, noReadProgress } from '#src/web/api/sharedReading.ts';
import { useTeam, teamQuery } from '#src/web/api/team.ts';
import { OPEN, useOpenOperations } from '#src/web/api/operations/useOperations.ts';
import { useSession } from '#src/web/api/session.ts';
import type { BatchSummary } from '#src/shared/contract/batchContract.ts';
import { subjectsMarked } from '#src/shared/contract/teamContract.ts';
import { unsettledOf } from '#src/shared/operations/unsettled.ts';
import { homeAttention } from '#src/shared/overview/homeAttention.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { useStuckAfterHours } from '#src/web/resources/useUsualTimes.ts';
import { useDue } from './useDue.ts';
import { balancesCheck, type Check, paymentsCheck } from './checks.ts';

/** The payments of one kind that Home shows. */
export interface HomeList extends ReadProgress {
  kind: PaymentKind;
  /** The newest; null before anything was read. */
  newest: readonly Payment[] | null;
  count: number;
  malformed: number;
  recentTimes: readonly number[];
  flows: OverviewPayments['flows'];
  isFetching: boolean;
  loadMore: () => void;
}

/** Loads the data for the top of the page; never rejects. */
export function prefetchHome(client: QueryClient, account: string): Promise<unknown> {
  return Promise.all([
    client.prefetchQuery(overviewQuery(account)),
    client.prefetchQuery(operationsQuery(account, OPEN)),
    client.prefetchQuery(pausedBatchesQuery(account)),
    // Payments that a colleague handles don't need attention.
    client.prefetchQuery(teamQuery(account, 'marks')),
    client.prefetchQuery(teamQuery(account, 'standing-payments')),
  ]);
}

export function useHome() {
  const client = useQueryClient();
  const operations = useOpenOperations();
  const batches = useQuery(pausedBatchesQuery(useSession().account));
  const { person } = useSession();
  const approvals = useApprovals();
  const { due, today, standing, payBy } = useDue();
  const query = useOverview();
  const { data, isFetching } = query;
  // Set if the dashboard's own server doesn't respond. The data it sent before stays.
  const lost = query.error;
  const marks = useTeam('marks');
  const hours = useStuckAfterHours();
  const usualOf = useUsualTime(data);
  const lastMoveOf = useLastMove(data);
  const items = useMemo(() => marks.data?.items ?? [], [marks.data]);
  const handled = useMemo(() => subjectsMarked(items, 'handled'), [items]);
  const expected = useMemo(() => subjectsMarked(items, 'handled', 'expected'), [items]);
  const ledger = {
    ...(data ? readProgressOf(data.ledger) : noReadProgress(null)),
    moved: data?.ledger.moved ?? null,
  };
  const listOf = (kind: PaymentKind): HomeList => {
    const list = data && overviewList(data, kind);
    return {
      ...(list ? readProgressOf(list) : noReadProgress(lost)),
      kind,
      newest: list && list.info !== null ? list.newest : null,
      count: list?.count ?? 0,
      malformed: list?.malformed ?? 0,
      recentTimes: list?.recent_times ?? [],
      flows: list?.flows ?? {},
      isFetching,
      loadMore: query.loadMore,
    };
  };
  const [deposits, withdrawals] = [listOf('deposit'), listOf('withdrawal')];
  const opens = data ? [data.deposits.open, data.withdrawals.open].filter((open) => open !== null) : [];
  const found = homeAttention({
    operations: unsettledOf(operations),
    batches: batches.data ?? NO_BATCHES,
    payments: opens,
    balances: data?.balances ?? undefined,
    outside: data?.outside ?? [],
    handled,
    expected,
    usualOf,
    lastMoveOf,
    threshold: hours * 3600,
    isMeasuring: !ledger.notOffered && ledger.isLoading,
  });
  const checkOf = (kind: PaymentKind): Check => {
    const list = data && overviewList(data, kind);
    return paymentsCheck(kind, list?.open ?? undefined, lost ?? apiErrorOf(list?.open_error ?? null));
  };
  const checks: Check[] = [
    operationsCheck(operations),
    ownCheck('batches', batches),
    ...(person === null ? [] : [ownCheck('approvals', approvals)]),
    ownCheck('standing payments', standing),
    ...(payBy === null ? [] : [ownCheck('pay-by dates', payBy)]),
    checkOf('deposit'),
    withdrawals.notOffered
      ? { ...checkOf('withdrawal'), words: 'withdrawals sent from here', inProgress: false }
      : checkOf('withdrawal'),
    balancesCheck(data?.balances ?? undefined, lost ?? apiErrorOf(data?.balances_error ?? null)),
    ...(marks.isPending ? [{ what: '', state: 'loading', words: '', error: null, readAt: null } as const] : []),
  ];
  return {
    operations,
    balances: { data: data?.balances ?? undefined, error: lost ?? apiErrorOf(data?.balances_error ?? null) },
    lists: [deposits, withdrawals] as const,
    ledger,
    usual: data?.usual ?? [],
    hours,
    ...found,
    due,
    today,
    checks,
    isFetching,
    refetch: (): void => {
      query.refresh();
      // The overview is read by itself; of the other lists those that failed.
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    },
  };
}

const NO_BATCHES: readonly BatchSummary[] = [];

/** The check of our own records. It has no text, because records that need no one are not mentioned. */
function ownCheck(what: string, { data, error }: { data: unknown; error: Error | null }): Check {
  const state = error !== null ? 'failed' : data === undefined ? 'loading' : 'whole';
  return { what, state, words: '', error, readAt: null };
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
