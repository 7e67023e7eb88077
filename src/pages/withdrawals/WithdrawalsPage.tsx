import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from 'react-router';
import { balanceQueries } from '#src/api/balances.ts';
import { PATHS } from '#src/api/contract.ts';
import { describeError, isNotOffered } from '#src/api/errors.ts';
import { PAGE_SIZE } from '#src/api/infiniteList.ts';
import { listEnd } from '#src/api/paging.ts';
import type { WithdrawalRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { listWithdrawals, withdrawalQueries } from '#src/api/withdrawals.ts';
import { paths } from '#src/lib/paths.ts';
import { AsOf } from '#src/list/AsOf.tsx';
import { describeFilters } from '#src/list/describeFilters.ts';
import { EmptyList } from '#src/list/EmptyList.tsx';
import { ExportButton } from '#src/list/export/ExportButton.tsx';
import { FilterBar } from '#src/list/FilterBar.tsx';
import { InfiniteTable } from '#src/list/InfiniteTable.tsx';
import { ListSkeleton } from '#src/list/ListSkeleton.tsx';
import { rowIndexer } from '#src/list/rowIndex.ts';
import { seenWords, sorted } from '#src/list/seenWords.ts';
import { KNOWN_STATUSES } from '#src/list/StatusCell.tsx';
import { StepsContext } from '#src/list/steps.ts';
import { useFreshRows } from '#src/list/useFreshRows.ts';
import { useListFilters } from '#src/list/useListFilters.ts';
import { useReadAgain, useRowHref } from '#src/list/useListActions.ts';
import { useOpenId } from '#src/list/useOpenId.ts';
import { useSteps } from '#src/list/useSteps.ts';
import { WatchLine } from '#src/list/WatchLine.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { LookUpById } from './LookUpById.tsx';
import { NewWithdrawalLink } from './NewWithdrawalLink.tsx';
import { RecordedHere } from './RecordedHere.tsx';
import { amountOf, columns, csvColumns } from './withdrawalColumns.tsx';

const noun = { one: 'withdrawal', many: 'withdrawals' } as const;
const indexWithdrawals = rowIndexer<WithdrawalRow>();

export function Component() {
  const account = useSession()?.account ?? '';
  const zone = useZone();
  const { key: entry } = useLocation();
  const openId = useOpenId(paths.withdrawals());
  const hrefOf = useRowHref(paths.withdrawal);
  const state = useListFilters();
  const { filters } = state;

  const list = withdrawalQueries.list(account, filters);
  const query = useInfiniteQuery(list);
  const { data } = query;
  const first = data?.pages[0];
  const index = indexWithdrawals(data?.pages ?? []);
  const end = listEnd(data);
  const fresh = useFreshRows({
    listKey: list.queryKey,
    data,
    index,
    readPage: (cursor, signal) => listWithdrawals(filters, cursor, { limit: PAGE_SIZE, account, signal }),
    byStatus: filters.status !== undefined,
    settles: true,
  });
  const readAgain = useReadAgain(fresh);
  const steps = useSteps({ noun: noun.one, index, indexRows: indexWithdrawals, end, query, openId, hrefOf });

  const queryClient = useQueryClient();
  const balances = useQuery({ ...balanceQueries.list(account), enabled: first !== undefined, refetchOnMount: false });
  const statuses = () => sorted(seenWords(queryClient, account, 'withdrawals', 'status'), KNOWN_STATUSES);
  const assets = () =>
    sorted(
      seenWords(queryClient, account, 'withdrawals', 'asset'),
      balances.data?.balances.map(({ asset }) => asset),
    );
  // The list is not in the contract: a service without it answers 404 or 405, and that is no fault.
  const notOffered = data === undefined && isNotOffered(query.error);

  return (
    <div className="list-page">
      <PageHeader
        title="Withdrawals"
        asOf={<AsOf at={fresh.asOf} reading={fresh.reading} onReadAgain={readAgain} />}
        actions={<NewWithdrawalLink />}
      />
      <div className="list-lookup">
        <LookUpById />
      </div>
      {!notOffered && (
        <>
          <FilterBar state={state} statuses={statuses} assets={assets}>
            <ExportButton
              source={{
                name: 'withdrawals',
                path: PATHS.withdrawals,
                filters,
                columns: csvColumns,
                amountOf,
                readPage: (of, cursor, options) => listWithdrawals(of, cursor, { ...options, account }),
              }}
              scope={describeFilters(filters, zone)}
            />
          </FilterBar>
          <WatchLine fresh={fresh} noun={noun} oldestFirst={filters.order === 'asc'} onReadAgain={readAgain} />
        </>
      )}
      <div className="list-split">
        <div className="list-place">
          {query.isPending ? (
            <ListSkeleton noun={noun} />
          ) : notOffered ? (
            <RecordedHere />
          ) : data === undefined ? (
            <div className="page-body">
              <ErrorNotice
                error={describeError(query.error)}
                heading="The withdrawals could not be read"
                onRetry={() => void query.refetch()}
                retrying={query.isFetching}
              />
            </div>
          ) : index.count === 0 && index.malformed === 0 && end?.kind === 'end' ? (
            <EmptyList noun={noun} state={state}>
              The service returned an empty list for this account. A withdrawal appears here once the service accepted
              one.
            </EmptyList>
          ) : (
            <InfiniteTable
              key={JSON.stringify(list.queryKey)}
              label="Withdrawals"
              index={index}
              end={end}
              since={first?.readAt ?? 0}
              query={query}
              columns={columns}
              amountOf={amountOf}
              hrefOf={hrefOf}
              openId={openId}
              entry={entry}
              onSight={fresh.onSight}
            />
          )}
        </div>
        {openId !== undefined && (
          <div className="list-detail">
            <StepsContext value={steps}>
              <Outlet />
            </StepsContext>
          </div>
        )}
      </div>
    </div>
  );
}
