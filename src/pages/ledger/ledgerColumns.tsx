import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { AmountCell } from '#src/list/AmountCell.tsx';
import type { Layout } from '#src/list/columnFit.ts';
import { listColumnHelper } from '#src/list/columns.ts';
import { createdAtColumns, type CsvColumn } from '#src/export/exportColumns.ts';
import { IdCell } from '#src/list/IdCell.tsx';
import { TimeCell } from '#src/list/TimeCell.tsx';
import { TimeHead } from '#src/list/TimeHead.tsx';
import { WordCell } from '#src/list/WordCell.tsx';
import { fieldText, sourceOf } from './entry.ts';
import { SourceLink } from './SourceLink.tsx';

const helper = listColumnHelper<LedgerEntryRow>();

/** Money last; the id goes first when there is no room: nobody looks for an entry by it. */
export const layout: Layout = {
  columns: ['created', 'type', 'book', 'source', 'id', 'cash'],
  cards: ['created', 'type', 'book', 'source', 'cash'],
};

export const columns = [
  helper.display({
    id: 'created',
    header: TimeHead,
    cell: ({ row: { original } }) => <TimeCell id={original.id} unix={original.created_at} />,
  }),
  helper.display({
    id: 'type',
    header: 'Type',
    cell: ({ row: { original } }) => <WordCell word={fieldText(original['type'])} />,
  }),
  helper.display({
    id: 'book',
    header: 'Book',
    cell: ({ row: { original } }) => <WordCell word={fieldText(original['book'])} />,
  }),
  helper.display({
    id: 'source',
    header: 'Source',
    cell: ({ row: { original } }) => <SourceLink source={sourceOf(original)} short />,
  }),
  helper.display({ id: 'id', header: 'Id', cell: ({ row: { original } }) => <IdCell id={original.id} /> }),
  helper.display({
    id: 'cash',
    header: 'Amount',
    cell: ({ row: { original } }) => (
      <AmountCell id={original.id} amount={original.amount} asset={original.asset} signed />
    ),
  }),
];

export const csvColumns: readonly CsvColumn<LedgerEntryRow>[] = [
  { name: 'id', of: (row) => row.id },
  { name: 'transaction', of: (row) => row['transaction'] },
  { name: 'type', of: (row) => row['type'] },
  { name: 'asset', of: (row) => row.asset },
  { name: 'book', of: (row) => row['book'] },
  { name: 'amount', of: (row) => row.amount },
  { name: 'source', of: (row) => sourceOf(row) },
  ...createdAtColumns(),
];
