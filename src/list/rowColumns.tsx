import { type ListColumn, listColumnHelper, type PaymentRow } from './columns.ts';
import { IdCell } from './IdCell.tsx';
import { StatusCell } from './StatusCell.tsx';
import { TimeCell } from './TimeCell.tsx';
import { TimeHead } from './TimeHead.tsx';
import { WordCell } from './WordCell.tsx';

/** The columns before the money, in the order of a ledger: time, status, id, chain. */
export function rowColumns<T extends PaymentRow>(): ListColumn<T>[] {
  const helper = listColumnHelper<T>();
  return [
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
  ];
}
