import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { CODE_NOT_FOUND, PATHS } from '#src/shared/contract/contract.ts';
import { ledgerQueries } from '#src/web/api/listQueries.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { getSession, subscribeSession, useSession } from '#src/web/api/session.ts';
import { paths } from '#src/shared/paths.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { FILTERS, type FiltersOf } from '#src/web/list/filters/listFilters.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Fact } from '#src/web/ui/Facts.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import './ledger.css';
import { sourceOf, sourcePath } from '#src/shared/ledgerSource.ts';
import { createPairs, pairSwap } from '#src/shared/statement/swapPairs.ts';
import { defineResource } from './resource.ts';
import { ResourceListPage } from './ResourceListPage.tsx';
import { SourceLink, SwapWords, WordCell } from './SourceLink.tsx';
import { textOrNull, visibleCode } from '#src/shared/text.ts';

const { asset, source, created_after, period, created_before, order } = FILTERS;

export const resource = defineResource<LedgerEntryRow>({
  noun: { one: 'ledger entry', many: 'ledger entries' },
  title: 'Ledger',
  label: 'Ledger entries',
  whole: 'the ledger',
  api: ledgerQueries,
  filters: { asset, source, created_after, period, created_before, order } satisfies FiltersOf<'ledger-entries'>,
  fields: [
    { name: 'id', label: 'ID', kind: 'id', width: 9 },
    { name: 'transaction', label: 'Transaction', kind: 'word' },
    { name: 'type', label: 'Type', kind: 'word', width: 6.5, cell: (row) => <TypeCell row={row} /> },
    { name: 'asset', label: 'Asset', kind: 'code' },
    { name: 'book', label: 'Book', kind: 'word', width: 6 },
    { name: 'amount', label: 'Amount', kind: 'movement' },
    {
      name: 'source',
      label: 'Source',
      kind: 'word',
      value: sourceOf,
      width: 9,
      cell: (row) => <SourceLink source={sourceOf(row)} short />,
      fact: (row) => <Source row={row} />,
    },
    {
      name: 'created_at',
      label: 'Created',
      kind: 'time',
      width: 11.5,
      fact: ({ created_at: at }) => (
        <Fact label="Created">
          <Time unix={at} age />
        </Fact>
      ),
    },
  ],
  // The ID is the first column dropped in narrow windows, because people rarely look for an entry by its ID.
  columns: ['created_at', 'type', 'book', 'source', 'id', 'amount'],
  cards: ['created_at', 'type', 'book', 'source', 'amount'],
  detail: ['id', 'created_at', 'type', 'book', 'asset', 'source'],
  empty: 'Everything that moves a balance appears here.',
  firstStep: { to: paths.newDepositAddress, label: 'New deposit address' },
  settles: false,
  NotOffered,
  onPage: learnLegs,
});

export function Component() {
  return <ResourceListPage resource={resource} />;
}

function TypeCell({ row }: { row: LedgerEntryRow }) {
  const other = otherLeg(row);
  const asset = other?.leg.asset?.slice(0, 12) ?? '';
  return (
    <WordCell word={other ? `Swap ${other.isOut ? 'to' : 'from'} ${visibleCode(asset)}` : textOrNull(row['type'])} />
  );
}

function SwapFact({ source }: { source: string }) {
  const { data } = useQuery(ledgerQueries.ofSource(useSession().account, source, null));
  const pair = pairSwap(data?.data ?? []);
  return pair && <SwapWords {...pair} className="block font-sans" />;
}

function Source({ row }: { row: LedgerEntryRow }) {
  const source = sourceOf(row);
  return (
    <Fact label="Source" mono action={source !== null && <CopyButton value={source} label="Copy source" />}>
      <SourceLink source={source} />
      {source !== null && row['source'] === source && sourcePath(source) === null && <SwapFact source={source} />}
      {source !== null && row['source'] === source && isSearchText(source) && (
        <Link className="small mt-1.5 block font-sans" to={paths.ledger(new URLSearchParams({ source }))}>
          All entries of this source
        </Link>
      )}
    </Fact>
  );
}

function NotOffered({ isNotFound }: { isNotFound: boolean }) {
  return (
    <p className="max-w-measure px-gutter py-3">
      {isNotFound && `This provider offers no ledger (404 ${CODE_NOT_FOUND} at ${PATHS.ledgerEntries}). `}
      What was received and sent is in <Link to={paths.deposits()}>Deposits</Link> and{' '}
      <Link to={paths.withdrawals()}>Withdrawals</Link>.
    </p>
  );
}

const legs = createPairs();
let account = getSession()?.account;

// Forget one account's rows before another account signs in.
subscribeSession(() => {
  const next = getSession()?.account;
  if (next === account) return;
  account = next;
  legs.clear();
});

/** Registers the rows of a page, so that otherLeg() can pair the legs of a swap. */
export function learnLegs(page: { readonly data: readonly LedgerEntryRow[] }): void {
  for (const row of page.data) legs.add(row);
}

/** The other leg of a swap; null if its page isn't loaded, or for any other entry. */
export function otherLeg(row: LedgerEntryRow): { leg: LedgerEntryRow; isOut: boolean } | null {
  const pair = legs.of(sourceOf(row));
  if (!pair) return null;
  return pair.out.id === row.id ? { leg: pair.in, isOut: true } : { leg: pair.out, isOut: false };
}
