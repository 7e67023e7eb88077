import { Link, useLocation } from 'react-router';
import { ANY_TIME, boundsOfDays, type DayRange } from '#src/list/createdRange.ts';
import { changeFilters, writeFilters } from '#src/list/filters/filterTable.ts';
import { FILTERS } from '#src/list/filters/listFilters.tsx';
import { zoneName } from '#src/lib/time.ts';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
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
  columns: readonly DataColumn<Bin>[];
}

/** A table with a row per day, each a link to the list of that day; days not read say so. */
export function DayRows({ columns, ...parts }: DayRowsProps) {
  const { search } = useLocation();
  return (
    <DataTable
      label={parts.title}
      rows={parts.bins}
      columns={[dayColumn(parts, new URLSearchParams(search)), ...columns]}
      keyOf={({ from }) => from}
      without={({ state }) => (state === 'unread' ? 'not loaded' : null)}
    />
  );
}

function dayColumn({ counted, head, onFollow }: DayTableParts, search: URLSearchParams): DataColumn<Bin> {
  const { filters, zone } = counted;
  const order = search.get('order') === 'asc' ? { order: 'asc' as const } : {};
  const searchOf = (days: DayRange): string =>
    writeFilters(search, changeFilters(filters, { ...ANY_TIME, ...boundsOfDays(days, zone), ...order }), FILTERS);
  return {
    name: head,
    head: (
      <>
        {head} <span className="dim font-normal">{zoneName(zone)}</span>
      </>
    ),
    isHead: true,
    cell: (bin) => (
      <>
        <Link to={{ search: searchOf(bin) }} onClick={onFollow}>
          {spanWords(bin)}
        </Link>
        {bin.state !== 'unread' && <Notes words={[bin.now ? 'so far' : '', binNotes(bin)]} />}
      </>
    ),
    foot: counted.end === 'all' ? 'All days' : 'Loaded so far',
  };
}

function Notes({ words }: { words: readonly string[] }) {
  const said = words.filter(Boolean).join('; ');
  return said === '' ? null : <span className="dim"> {said}</span>;
}
