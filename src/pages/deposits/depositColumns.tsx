import type { DepositRow } from '#src/api/schemas.ts';
import { AmountCell } from '#src/list/AmountCell.tsx';
import { listColumnHelper } from '#src/list/columns.ts';
import { type CsvColumn, utcText } from '#src/list/exportCsv.ts';
import { IdCell } from '#src/list/IdCell.tsx';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { TimeCell } from '#src/list/TimeCell.tsx';
import { TimeHead } from '#src/list/TimeHead.tsx';
import { WordCell } from '#src/list/WordCell.tsx';

const helper = listColumnHelper<DepositRow>();

export const amountOf = (deposit: DepositRow): unknown => deposit.received_amount;

/** In the order of a ledger: time, status, id, chain, money last. */
export const columns = [
  helper.display({
    id: 'created',
    header: TimeHead,
    cell: ({ row: { original } }) => <TimeCell id={original.id} unix={original.created_at} />,
  }),
  helper.display({
    id: 'status',
    header: 'Status',
    cell: ({ row: { original } }) => <StatusCell status={original.status} />,
  }),
  helper.display({ id: 'id', header: 'Id', cell: ({ row: { original } }) => <IdCell id={original.id} /> }),
  helper.display({
    id: 'chain',
    header: 'Chain',
    cell: ({ row: { original } }) => <WordCell word={original.chain} />,
  }),
  helper.display({
    id: 'cash',
    header: 'Received',
    cell: ({ row: { original } }) => (
      <AmountCell id={original.id} amount={original.received_amount} asset={original.asset} />
    ),
  }),
];

export const csvColumns: readonly CsvColumn<DepositRow>[] = [
  { name: 'id', of: (row) => row.id },
  { name: 'status', of: (row) => row.status },
  { name: 'asset', of: (row) => row.asset },
  { name: 'chain', of: (row) => row.chain },
  { name: 'received_amount', of: amountOf },
  { name: 'created_at', of: (row) => row.created_at },
  { name: 'created_at_utc', of: (row) => utcText(row.created_at) },
];
