import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from 'react-router';
import { balanceQueries } from '#src/api/balances.ts';
import { PATHS } from '#src/api/contract.ts';
import { depositQueries, listDeposits } from '#src/api/deposits.ts';
import { describeError } from '#src/api/errors.ts';
import { PAGE_SIZE } from '#src/api/infiniteList.ts';
import { listEnd } from '#src/api/paging.ts';
import type { DepositRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { AsOf } from '#src/list/AsOf.tsx';
import { ChartPlace } from '#src/list/chart/ChartPlace.tsx';
import { ChartToggle } from '#src/list/chart/ChartToggle.tsx';
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
import { amountOf, columns, csvColumns } from './depositColumns.tsx';
import { NewAddressLink } from './NewAddressLink.tsx';

const noun = { one: 'deposit', many: 'deposits' } as const;
const indexDeposits = rowIndexer<DepositRow>();

export function Component() {
  const account = useSession()?.account ?? '';
  const zone = useZone();
  const { key: entry } = useLocation();
  const openId = useOpenId(paths.deposits());
  const hrefOf = useRowHref(paths.deposit);
  const state = useListFilters();
  const { filters } = state;

  const list = depositQueries.list(account, filters);
  const query = useInfiniteQuery(list);
  const { data } = query;
  const first = data?.pages[0];
  const index = indexDeposits(data?.pages ?? []);
  const end = listEnd(data);
  const fresh = useFreshRows({
    listKey: list.queryKey,
    data,
    index,
    readPage: (cursor, signal) => listDeposits(filters, cursor, { limit: PAGE_SIZE, account, signal }),
    byStatus: filters.status !== undefined,
    settles: true,
  });
  const readAgain = useReadAgain(fresh);
  const steps = useSteps({ noun: noun.one, index, indexRows: indexDeposits, end, query, openId, hrefOf });

  const queryClient = useQueryClient();
  const balances = useQuery({ ...balanceQueries.list(account), enabled: first !== undefined, refetchOnMount: false });
  const statuses = () => sorted(seenWords(queryClient, account, 'deposits', 'status'), KNOWN_STATUSES);
  const assets = () =>
    sorted(
      seenWords(queryClient, account, 'deposits', 'asset'),
      balances.data?.balances.map(({ asset }) => asset),
    );

  return (
    <div className="list-page">
      <PageHeader
        title="Deposits"
        asOf={<AsOf at={fresh.asOf} reading={fresh.reading} onReadAgain={readAgain} />}
        actions={<NewAddressLink />}
      />
      <FilterBar state={state} statuses={statuses} assets={assets}>
        <ChartToggle />
        <ExportButton
          source={{
            name: 'deposits',
            path: PATHS.deposits,
            filters,
            columns: csvColumns,
            amountOf,
            readPage: (of, cursor, options) => listDeposits(of, cursor, { ...options, account }),
          }}
          scope={describeFilters(filters, zone)}
        />
      </FilterBar>
      <ChartPlace
        source={{
          noun,
          account,
          amountOf,
          readPage: (of, cursor, options) => listDeposits(of, cursor, { ...options, account }),
        }}
        state={state}
      />
      <WatchLine fresh={fresh} noun={noun} oldestFirst={filters.order === 'asc'} onReadAgain={readAgain} />
      <div className="list-split">
        <div className="list-place">
          {query.isPending ? (
            <ListSkeleton noun={noun} />
          ) : data === undefined ? (
            <div className="page-body">
              <ErrorNotice
                error={describeError(query.error)}
                heading="The deposits could not be read"
                onRetry={() => void query.refetch()}
                retrying={query.isFetching}
              />
            </div>
          ) : index.count === 0 && index.malformed === 0 && end?.kind === 'end' ? (
            <EmptyList noun={noun} state={state}>
              The service returned an empty list for this account. A deposit appears here once funds arrive at one of
              your deposit addresses.
            </EmptyList>
          ) : (
            <InfiniteTable
              key={JSON.stringify(list.queryKey)}
              label="Deposits"
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
