import { useQuery, useQueryClient } from '@tanstack/react-query';
import { balanceQueries } from '#src/api/balances.ts';
import { PATHS } from '#src/api/contract.ts';
import { depositQueries, listDeposits } from '#src/api/deposits.ts';
import type { DepositRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { AsOf } from '#src/list/AsOf.tsx';
import { ChartPlace } from '#src/chart/ChartPlace.tsx';
import { ChartToggle } from '#src/chart/ChartToggle.tsx';
import { describeFilters } from '#src/list/describeFilters.ts';
import { ExportButton } from '#src/export/ExportButton.tsx';
import { FilterBar } from '#src/list/FilterBar.tsx';
import { ListSplit } from '#src/list/ListSplit.tsx';
import { rowIndexer } from '#src/list/rowIndex.ts';
import { seenWords, sorted } from '#src/list/seenWords.ts';
import { KNOWN_STATUSES } from '#src/list/StatusCell.tsx';
import { useList } from '#src/list/useList.ts';
import { useListFilters } from '#src/list/useListFilters.ts';
import { WatchLine } from '#src/list/WatchLine.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { amountOf, columns, csvColumns } from './depositColumns.tsx';
import { NewAddressLink } from './NewAddressLink.tsx';

const noun = { one: 'deposit', many: 'deposits' } as const;
const indexDeposits = rowIndexer<DepositRow>();

export function Component() {
  const account = useSession()?.account ?? '';
  const zone = useZone();
  const state = useListFilters();
  const { filters } = state;

  const list = useList({
    noun,
    at: paths.deposits(),
    pathOf: paths.deposit,
    options: depositQueries.list(account, filters),
    indexRows: indexDeposits,
    readPage: (cursor, options) => listDeposits(filters, cursor, { ...options, account }),
    byStatus: filters.status !== undefined,
    settles: true,
  });
  const { since, fresh, readAgain } = list;

  const queryClient = useQueryClient();
  const balances = useQuery({ ...balanceQueries.list(account), enabled: since !== null, refetchOnMount: false });
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
      <ListSplit
        label="Deposits"
        list={list}
        state={state}
        columns={columns}
        amountOf={amountOf}
        failed="The deposits could not be read"
        empty="The service returned an empty list for this account. A deposit appears here once funds arrive at one of your deposit addresses."
      />
    </div>
  );
}
