import { Link } from 'react-router';
import { counted } from '#src/lib/count.ts';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { WordCell } from '#src/list/cells.tsx';
import { shorten, visible } from '#src/lib/text.ts';
import { span } from '#src/lib/time.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import type { ListKind } from './lists.ts';
import type { Sitting } from './sitting.ts';
import { searchFor } from './today.ts';

/** More are behind the links to the list. */
const SHOWN = 10;

interface SittingTableProps {
  kind: ListKind;
  /** Oldest first. */
  sitting: readonly Sitting[];
}

export function SittingTable({ kind, sitting }: SittingTableProps) {
  const shown = sitting.slice(0, SHOWN);
  const { one, many } = kind.noun;
  return (
    <>
      <div className="table-scroll">
        <table
          className="grid-table labelled home-table"
          aria-label={`${many} that sit long`}
          style={{ '--int': integerWidth(shown.map(({ row }) => row.amount)).css }}
        >
          <thead>
            <tr>
              <th scope="col">{one === 'deposit' ? 'Deposit' : 'Withdrawal'}</th>
              <th scope="col">Status</th>
              <th scope="col">Chain</th>
              <th scope="col">Moved on</th>
              <th scope="col" className="cash">
                <span>Amount</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((each) => (
              <Row key={each.row.id} kind={kind} sitting={each} />
            ))}
          </tbody>
        </table>
      </div>
      <Groups kind={kind} sitting={sitting} hidden={sitting.length - shown.length} />
    </>
  );
}

function Row({ kind, sitting: { row, age, usual, allChains } }: { kind: ListKind; sitting: Sitting }) {
  return (
    <tr>
      <th scope="row">
        <Link className="id" to={kind.detail(row.id)} data-tip={row.id}>
          {visible(shorten(row.id))}
        </Link>
      </th>
      <td>
        <StatusCell status={row.status} />
      </td>
      <td data-label="Chain">
        <WordCell word={row.chain} />
      </td>
      <td data-label="Moved on">
        <span className="whole">
          {allChains ? 'Others, on all chains,' : 'Others'} within {span(Math.max(60, usual))}, this one{' '}
          <b>{span(age)}</b>
        </span>
      </td>
      <td className="cash" data-label="Amount">
        <Amount value={row.amount} asset={row.asset ?? undefined} />
      </td>
    </tr>
  );
}

/** Each status once, with the way to its list, oldest first. */
function Groups({ kind, sitting, hidden }: { kind: ListKind; sitting: readonly Sitting[]; hidden: number }) {
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
