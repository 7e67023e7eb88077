import type { DepositRow } from '#src/api/schemas.ts';
import { AmountCell } from '#src/list/AmountCell.tsx';
import { listColumnHelper } from '#src/list/columns.ts';
import { createdAtColumns, type CsvColumn } from '#src/export/exportColumns.ts';
import { rowColumns } from '#src/list/rowColumns.tsx';

const helper = listColumnHelper<DepositRow>();

export const amountOf = (deposit: DepositRow): unknown => deposit.received_amount;

/** Money last. */
export const columns = [
  ...rowColumns<DepositRow>(),
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
  ...createdAtColumns(),
];
