import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { shorten, visible } from '#src/lib/text.ts';
import { HandledMark } from '#src/list/HandledMark.tsx';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { WordCell } from '#src/list/cells.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { Time } from '#src/ui/Time.tsx';
import { FAILED_DAYS } from './failedWithdrawals.ts';
import { HomeSection } from './HomeSection.tsx';
import type { HomeRow } from './recentRows.ts';

/** Withdrawals whose money did not arrive and that nobody has dealt with. */
export function FailedWithdrawals({ rows }: { rows: readonly HomeRow[] }) {
  if (rows.length === 0) return null;
  return (
    <HomeSection title="Failed withdrawals">
      <p className="home-line sub">Created in the last {FAILED_DAYS} days, until somebody marks them as handled.</p>
      <div className="table-scroll">
        <DataTable
          label="Failed withdrawals"
          className="grid-table labelled home-table"
          style={{ '--int': integerWidth(rows.map(({ amount }) => amount)).css }}
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
        />
      </div>
    </HomeSection>
  );
}

const columns: DataColumn<HomeRow>[] = [
  {
    name: 'Withdrawal',
    isHead: true,
    cell: ({ id }) => (
      <Link className="id" to={paths.withdrawal(id)} data-tip={id}>
        {visible(shorten(id))}
      </Link>
    ),
  },
  { name: 'Status', cell: ({ status }) => <StatusCell status={status} /> },
  { name: 'Chain', cell: ({ chain }) => <WordCell word={chain} /> },
  { name: 'Created', cell: ({ created_at: at }) => <Time unix={at} age /> },
  { name: 'Handled', cell: ({ id }) => <HandledMark subject={{ kind: 'withdrawal', id }} /> },
  {
    name: 'Amount',
    className: 'cash',
    cell: ({ amount, asset }) => <Amount value={amount} asset={asset ?? undefined} />,
  },
];
