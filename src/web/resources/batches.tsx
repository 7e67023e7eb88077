import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { authorName } from '#src/shared/author.ts';
import { batchProgress, batchStatus, progressWords } from '#src/shared/batches/batchWords.ts';
import type { BatchSummary } from '#src/shared/contract/batchContract.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, revealHidden } from '#src/shared/text.ts';
import { batchPages } from '#src/web/api/batches.ts';
import { useSession } from '#src/web/api/session.ts';
import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { Time, ZoneHead } from '#src/web/ui/Time.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';

function NewBatch() {
  return (
    <ActionLink ability="prepare" variant="primary" to={paths.newBatch()}>
      New batch
    </ActionLink>
  );
}

/** Payments that were sent together, newest first. */
export const batches = {
  title: 'Batches',
  path: paths.batches,
  noun: { one: 'batch', many: 'batches' },
  label: 'Batches',
  tableClass: 'grid-table labelled fitted',
  keyOf: ({ id }) => id,
  Empty: () => (
    <EmptyState title="No batches yet" action={<NewBatch />}>
      Pay many recipients from one file: a CSV with a line for each payment. You review it before anything is sent.
    </EmptyState>
  ),
} satisfies OwnList<BatchSummary>;

export function useBatchRows(): OwnListRows<BatchSummary> {
  const { account } = useSession();
  const query = useInfiniteQuery(batchPages(account));
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const isEmpty = rows?.length === 0;
  return {
    rows,
    query,
    isEmpty,
    columns,
    tableStyle: { '--int': integerWidth((rows ?? []).flatMap(({ totals }) => totals.map(({ amount }) => amount))).css },
    asOf: 'Payments sent together, from one file',
    actions: !isEmpty && <NewBatch />,
    foot: rows && `${counted(rows.length, 'batch', 'batches')}${query.hasNextPage ? ' loaded' : '. End of list'}.`,
  };
}

const columns: DataColumn<BatchSummary>[] = [
  { name: 'Time', head: <ZoneHead word="Time" />, cell: ({ at }) => <Time unix={Math.floor(at / 1000)} /> },
  {
    name: 'Batch',
    isHead: true,
    className: 'min-w-40 whitespace-normal wrap-anywhere',
    cell: ({ id, file_name: name, lines }) => (
      <>
        <Link to={paths.batch(id)}>
          <bdi translate="no">{batchName(name)}</bdi>
        </Link>
        <span className="small sub block font-normal">{counted(lines, 'payment', 'payments')}</span>
      </>
    ),
  },
  { name: 'Status', className: 'whitespace-normal', cell: (batch) => <BatchStateAndProgress batch={batch} /> },
  {
    name: 'By',
    cell: (batch) =>
      batch.who === null ? <span className="dim">—</span> : <bdi>{revealHidden(authorName(batch))}</bdi>,
  },
  {
    name: 'Total',
    className: 'cash',
    cell: (batch) => <BatchTotals batch={batch} />,
  },
];

function batchName(fileName: string | null): string {
  return fileName === null ? 'Pasted rows' : revealHidden(fileName);
}

export function BatchLink({ batch: { id, file_name: name, lines } }: { batch: BatchSummary }) {
  return (
    <Link to={paths.batch(id)}>
      {counted(lines, 'payment', 'payments')} of a batch, <bdi translate="no">{batchName(name)}</bdi>
    </Link>
  );
}

export function BatchTotals({ batch: { totals } }: { batch: BatchSummary }) {
  if (totals.length === 0) return <span className="dim">Not known</span>;
  return totals.map(({ asset, chain, amount }) => (
    <span key={`${asset} ${chain}`} className="block">
      <Amount value={amount} asset={asset} />
    </span>
  ));
}

export function BatchStateAndProgress({ batch }: { batch: BatchSummary }) {
  return (
    <>
      <StateChip mark={batchStatus(batch)} big={false} />
      {batch.state !== 'waiting' && <span className="small sub block">{progressWords(batchProgress(batch))}</span>}
    </>
  );
}
