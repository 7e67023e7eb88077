import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from 'react-router';
import { balanceQueries } from '#src/api/balances.ts';
import { PATHS } from '#src/api/contract.ts';
import { describeError, isNotOffered } from '#src/api/errors.ts';
import { PAGE_SIZE } from '#src/api/infiniteList.ts';
import { ledgerQueries, listLedgerEntries } from '#src/api/ledgerEntries.ts';
import { listEnd } from '#src/api/paging.ts';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { AsOf } from '#src/list/AsOf.tsx';
import { describeFilters } from '#src/list/describeFilters.ts';
import { EmptyList } from '#src/list/EmptyList.tsx';
import { ExportButton } from '#src/list/export/ExportButton.tsx';
import { LEDGER_FILTERS } from '#src/list/filterCodec.ts';
import { FilterBar } from '#src/list/FilterBar.tsx';
import { InfiniteTable } from '#src/list/InfiniteTable.tsx';
import { ListSkeleton } from '#src/list/ListSkeleton.tsx';
import { rowIndexer } from '#src/list/rowIndex.ts';
import { seenWords, sorted } from '#src/list/seenWords.ts';
import { StepsContext } from '#src/list/steps.ts';
import { useFreshRows } from '#src/list/useFreshRows.ts';
import { useReadAgain, useRowHref } from '#src/list/useListActions.ts';
import { useListFilters } from '#src/list/useListFilters.ts';
import { useOpenId } from '#src/list/useOpenId.ts';
import { useSteps } from '#src/list/useSteps.ts';
import { WatchLine } from '#src/list/WatchLine.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { asWideAs } from './entry.ts';
import './ledger.css';
import { columns, csvColumns, layout } from './ledgerColumns.tsx';
import { NotOffered } from './NotOffered.tsx';

const noun = { one: 'ledger entry', many: 'ledger entries' } as const;
const indexEntries = rowIndexer<LedgerEntryRow>();

export function Component() {
  const account = useSession()?.account ?? '';
  const zone = useZone();
  const { key: entry } = useLocation();
  const openId = useOpenId(paths.ledger());
  const hrefOf = useRowHref(paths.ledgerEntry);
  const state = useListFilters(LEDGER_FILTERS);
  const { filters } = state;

  const list = ledgerQueries.list(account, filters);
  const query = useInfiniteQuery(list);
  const { data } = query;
  const first = data?.pages[0];
  const index = indexEntries(data?.pages ?? []);
  const end = listEnd(data);
  const fresh = useFreshRows({
    listKey: list.queryKey,
    data,
    index,
    readPage: (cursor, signal) => listLedgerEntries(filters, cursor, { limit: PAGE_SIZE, account, signal }),
    byStatus: false,
    settles: false,
  });
  const readAgain = useReadAgain(fresh);
  const steps = useSteps({ noun: noun.one, index, indexRows: indexEntries, end, query, openId, hrefOf });

  const queryClient = useQueryClient();
  const balances = useQuery({ ...balanceQueries.list(account), enabled: first !== undefined, refetchOnMount: false });
  const assets = () =>
    sorted(
      seenWords(queryClient, account, 'ledger-entries', 'asset'),
      balances.data?.balances.map(({ asset }) => asset),
    );
  const error = query.error ? describeError(query.error) : null;
  // The ledger's path is not in the contract: a service without it answers 404 or 405, and that is no fault.
  const notOffered = data === undefined && isNotOffered(query.error);

  return (
    <div className="list-page">
      <PageHeader title="Ledger" asOf={<AsOf at={fresh.asOf} reading={fresh.reading} onReadAgain={readAgain} />} />
      {!notOffered && (
        <>
          <FilterBar state={state} assets={assets}>
            <ExportButton
              source={{
                name: 'ledger-entries',
                path: PATHS.ledgerEntries,
                filters,
                columns: csvColumns,
                amountOf: (entry) => entry.amount,
                readPage: (of, cursor, options) => listLedgerEntries(of, cursor, { ...options, account }),
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
            <NotOffered status={error?.status ?? null} />
          ) : data === undefined && error ? (
            <div className="page-body">
              <ErrorNotice
                error={error}
                heading="The ledger could not be read"
                onRetry={() => void query.refetch()}
                retrying={query.isFetching}
              />
            </div>
          ) : index.count === 0 && index.malformed === 0 && end?.kind === 'end' ? (
            <EmptyList noun={noun} state={state}>
              The service returned an empty ledger for this account. An entry appears here with everything that moves a
              balance.
            </EmptyList>
          ) : (
            <InfiniteTable
              key={JSON.stringify(list.queryKey)}
              label="Ledger entries"
              index={index}
              end={end}
              since={first?.readAt ?? 0}
              query={query}
              columns={columns}
              layout={layout}
              amountOf={asWideAs}
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
