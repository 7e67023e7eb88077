import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { ANY_TIME, boundsOfDays, type DayRange } from '#src/list/createdRange.ts';
import { changeFilters, writeFilters } from '#src/list/filterTable.ts';
import { FILTERS } from '#src/list/listFilters.tsx';
import { zoneName } from '#src/lib/time.ts';
import type { Bin, Series } from './bins.ts';
import type { Counted } from './counted.ts';
import { binNotes, spanWords } from './countWords.ts';

/** What both tables of days are made from. */
export interface DayTableParts {
  counted: Counted;
  series: readonly Series[];
  bins: readonly Bin[];
  span: DayRange;
  title: string;
  /** Over the column of days: "Day". */
  head: string;
  onFollow: () => void;
}

interface DayRowsProps extends DayTableParts {
  /** Cells of the head, of a day that was read, and of the foot. */
  heads: ReactNode;
  cellsOf: (bin: Bin) => ReactNode;
  foot: ReactNode;
  columns: number;
}

/** A table with a row per day, each a link to the list of that day; days not read say so. */
export function DayRows({ counted, bins, title, head, heads, cellsOf, foot, columns, onFollow }: DayRowsProps) {
  const { search } = useLocation();
  const { filters, zone } = counted;
  const order = new URLSearchParams(search).get('order') === 'asc' ? { order: 'asc' as const } : {};
  const searchOf = (days: DayRange): string => {
    const next = changeFilters(filters, { ...ANY_TIME, ...boundsOfDays(days, zone), ...order });
    return writeFilters(new URLSearchParams(search), next, FILTERS);
  };
  return (
    <table className="grid-table" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">
            {head} <span className="dim font-normal">{zoneName(zone)}</span>
          </th>
          {heads}
        </tr>
      </thead>
      <tbody>
        {bins.map((bin) => (
          <tr key={bin.from}>
            <th scope="row">
              <Link to={{ search: searchOf(bin) }} onClick={onFollow}>
                {spanWords(bin)}
              </Link>
              {bin.state !== 'unread' && <Notes words={[bin.now ? 'so far' : '', binNotes(bin)]} />}
            </th>
            {bin.state === 'unread' ? (
              <td className="dim" colSpan={columns}>
                not read yet
              </td>
            ) : (
              cellsOf(bin)
            )}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{counted.end === 'all' ? 'All days' : 'As far as read'}</th>
          {foot}
        </tr>
      </tfoot>
    </table>
  );
}

function Notes({ words }: { words: readonly string[] }) {
  const said = words.filter(Boolean).join('; ');
  return said === '' ? null : <span className="dim"> {said}</span>;
}
