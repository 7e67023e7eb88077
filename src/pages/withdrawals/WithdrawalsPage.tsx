import { useQuery, useQueryClient } from '@tanstack/react-query';
import { balanceQueries } from '#src/api/balances.ts';
import { PATHS } from '#src/api/contract.ts';
import { isNotOffered } from '#src/api/errors.ts';
import type { WithdrawalRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { listWithdrawals, withdrawalQueries } from '#src/api/withdrawals.ts';
import { paths } from '#src/lib/paths.ts';
import { AsOf } from '#src/list/AsOf.tsx';
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
import { LookUpById } from './LookUpById.tsx';
import { NewWithdrawalLink } from './NewWithdrawalLink.tsx';
import { RecordedHere } from './RecordedHere.tsx';
import { amountOf, columns, csvColumns } from './withdrawalColumns.tsx';

const noun = { one: 'withdrawal', many: 'withdrawals' } as const;
const indexWithdrawals = rowIndexer<WithdrawalRow>();

export function Component() {
  const account = useSession()?.account ?? '';
  const zone = useZone();
  const state = useListFilters();
  const { filters } = state;

  const list = useList({
    noun,
    at: paths.withdrawals(),
    pathOf: paths.withdrawal,
    options: withdrawalQueries.list(account, filters),
    indexRows: indexWithdrawals,
    readPage: (cursor, options) => listWithdrawals(filters, cursor, { ...options, account }),
    byStatus: filters.status !== undefined,
    settles: true,
  });
  const { query, since, fresh, readAgain } = list;

  const queryClient = useQueryClient();
  const balances = useQuery({ ...balanceQueries.list(account), enabled: since !== null, refetchOnMount: false });
  const statuses = () => sorted(seenWords(queryClient, account, 'withdrawals', 'status'), KNOWN_STATUSES);
  const assets = () =>
    sorted(
      seenWords(queryClient, account, 'withdrawals', 'asset'),
      balances.data?.balances.map(({ asset }) => asset),
    );
  // The list is not in the contract: a service without it answers 404 or 405, and that is no fault.
  const notOffered = query.data === undefined && isNotOffered(query.error);

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
      <ListSplit
        label="Withdrawals"
        list={list}
        state={state}
        columns={columns}
        amountOf={amountOf}
        notOffered={notOffered ? <RecordedHere /> : undefined}
        failed="The withdrawals could not be read"
        empty="The service returned an empty list for this account. A withdrawal appears here once the service accepted one."
      />
    </div>
  );
}
