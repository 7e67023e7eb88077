import { Link } from 'react-router';
import { counted } from '#src/lib/count.ts';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { WordCell } from '#src/list/cells.tsx';
import { capital, shorten, visible } from '#src/lib/text.ts';
import { span } from '#src/lib/time.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import type { ListKind } from './homeSources.ts';
import type { StuckPayment } from './stuckPayments.ts';
import { searchFor } from './today.ts';

/** More are behind the links to the list. */
const SHOWN = 10;

interface SittingTableProps {
  kind: ListKind;
  /** Oldest first. */
  sitting: readonly StuckPayment[];
}

export function StuckTable({ kind, sitting }: SittingTableProps) {
  const shown = sitting.slice(0, SHOWN);
  return (
    <>
      <div className="table-scroll">
        <DataTable
          className="grid-table labelled home-table"
          label={`${kind.noun.many} that sit long`}
          style={{ '--int': integerWidth(shown.map(({ row }) => row.amount)).css }}
          rows={shown}
          columns={columnsOf(kind)}
          keyOf={({ row }) => row.id}
        />
      </div>
      <Groups kind={kind} sitting={sitting} hidden={sitting.length - shown.length} />
    </>
  );
}

function columnsOf(kind: ListKind): DataColumn<StuckPayment>[] {
  return [
    {
      name: capital(kind.noun.one),
      isHead: true,
      cell: ({ row }) => (
        <Link className="id" to={kind.detail(row.id)} data-tip={row.id}>
          {visible(shorten(row.id))}
        </Link>
      ),
    },
    { name: 'Status', cell: ({ row }) => <StatusCell status={row.status} /> },
    { name: 'Chain', cell: ({ row }) => <WordCell word={row.chain} /> },
    {
      name: 'Moved on',
      cell: ({ age, usual, allChains }) => (
        <span className="whole">
          {allChains ? 'Others, on all chains,' : 'Others'} within {span(Math.max(60, usual))}, this one{' '}
          <b>{span(age)}</b>
        </span>
      ),
    },
    {
      name: 'Amount',
      className: 'cash',
      cell: ({ row }) => <Amount value={row.amount} asset={row.asset ?? undefined} />,
    },
  ];
}

/** Each status once, with the way to its list, oldest first. */
function Groups({ kind, sitting, hidden }: { kind: ListKind; sitting: readonly StuckPayment[]; hidden: number }) {
  const statuses = [...new Set(sitting.map(({ row }) => row.status))];
  return (
    <p className="home-line home-links">
      {hidden > 0 && <span>{counted(hidden, 'more is', 'more are')} not shown here.</span>}
      {statuses.map((status) => {
        const search = searchFor({ status }, { order: 'asc' });
        return search === null ? null : (
          <Link key={status} to={kind.list(search)}>
            All {kind.noun.many} with status {visible(shorten(status ?? ''))}, oldest first
          </Link>
        );
      })}
    </p>
  );
}
