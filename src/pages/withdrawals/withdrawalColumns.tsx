import type { WithdrawalRow } from '#src/api/schemas.ts';
import { AmountCell } from '#src/list/AmountCell.tsx';
import { listColumnHelper } from '#src/list/columns.ts';
import { type CsvColumn, utcText } from '#src/list/exportCsv.ts';
import { IdCell } from '#src/list/IdCell.tsx';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { TimeCell } from '#src/list/TimeCell.tsx';
import { TimeHead } from '#src/list/TimeHead.tsx';
import { WordCell } from '#src/list/WordCell.tsx';

const helper = listColumnHelper<WithdrawalRow>();

export const amountOf = (withdrawal: WithdrawalRow): unknown => withdrawal.amount;

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
  { name: 'created_at', of: (row) => row.created_at },
  { name: 'created_at_utc', of: (row) => utcText(row.created_at) },
];
