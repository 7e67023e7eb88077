import { useQuery, useQueryClient } from '@tanstack/react-query';
import { balanceQueries } from '#src/api/balances.ts';
import { PATHS } from '#src/api/contract.ts';
import { describeError, isNotOffered } from '#src/api/errors.ts';
import { ledgerQueries, listLedgerEntries } from '#src/api/ledgerEntries.ts';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { AsOf } from '#src/list/AsOf.tsx';
import { describeFilters } from '#src/list/describeFilters.ts';
import { ExportButton } from '#src/export/ExportButton.tsx';
import { LEDGER_FILTERS } from '#src/list/filterCodec.ts';
import { FilterBar } from '#src/list/FilterBar.tsx';
import { ListSplit } from '#src/list/ListSplit.tsx';
import { rowIndexer } from '#src/list/rowIndex.ts';
import { seenWords, sorted } from '#src/list/seenWords.ts';
import { useList } from '#src/list/useList.ts';
import { useListFilters } from '#src/list/useListFilters.ts';
import { WatchLine } from '#src/list/WatchLine.tsx';
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
  const state = useListFilters(LEDGER_FILTERS);
  const { filters } = state;

  const list = useList({
    noun,
    at: paths.ledger(),
    pathOf: paths.ledgerEntry,
    options: ledgerQueries.list(account, filters),
    indexRows: indexEntries,
    readPage: (cursor, options) => listLedgerEntries(filters, cursor, { ...options, account }),
    byStatus: false,
    settles: false,
  });
  const { query, since, fresh, readAgain } = list;

  const queryClient = useQueryClient();
  const balances = useQuery({ ...balanceQueries.list(account), enabled: since !== null, refetchOnMount: false });
  const assets = () =>
    sorted(
      seenWords(queryClient, account, 'ledger-entries', 'asset'),
      balances.data?.balances.map(({ asset }) => asset),
    );
  // The ledger's path is not in the contract: a service without it answers 404 or 405, and that is no fault.
  const notOffered = query.data === undefined && isNotOffered(query.error);

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
      <ListSplit
        label="Ledger entries"
        list={list}
        state={state}
        columns={columns}
        layout={layout}
        amountOf={asWideAs}
        notOffered={
          notOffered ? <NotOffered status={query.error ? describeError(query.error).status : null} /> : undefined
        }
        failed="The ledger could not be read"
        empty="The service returned an empty ledger for this account. An entry appears here with everything that moves a balance."
      />
    </div>
  );
}
