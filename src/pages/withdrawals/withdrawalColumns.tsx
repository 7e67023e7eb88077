import type { WithdrawalRow } from '#src/api/schemas.ts';
import { AmountCell } from '#src/list/AmountCell.tsx';
import { listColumnHelper } from '#src/list/columns.ts';
import { createdAtColumns, type CsvColumn } from '#src/export/exportColumns.ts';
import { rowColumns } from '#src/list/rowColumns.tsx';

const helper = listColumnHelper<WithdrawalRow>();

export const amountOf = (withdrawal: WithdrawalRow): unknown => withdrawal.amount;

/** Money last. */
export const columns = [
  ...rowColumns<WithdrawalRow>(),
  helper.display({
    id: 'cash',
    header: 'Amount',
    cell: ({ row: { original } }) => <AmountCell id={original.id} amount={original.amount} asset={original.asset} />,
  }),
];

export const csvColumns: readonly CsvColumn<WithdrawalRow>[] = [
  { name: 'id', of: (row) => row.id },
  { name: 'status', of: (row) => row.status },
  { name: 'asset', of: (row) => row.asset },
  { name: 'chain', of: (row) => row.chain },
  { name: 'amount', of: amountOf },
  { name: 'fee', of: (row) => row.fee },
  { name: 'address', of: (row) => row.address },
  { name: 'tx_hash', of: (row) => row.tx_hash },
  ...createdAtColumns(),
];
