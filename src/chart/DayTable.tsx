import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { capital, visible, type Noun, counted as countedWords, numberWords } from '#src/lib/text.ts';
import { zoneName } from '#src/lib/time.ts';
import { ANY_TIME, boundsOfDays, type DayRange } from '#src/list/createdRange.ts';
import { changeFilters, writeFilters } from '#src/list/filters/filterTable.ts';
import { FILTERS } from '#src/list/filters/listFilters.tsx';
import { Amount, integerWidth } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { Segmented } from '#src/ui/Segmented.tsx';
import { type Bin, binsOf, type Series } from './bins.ts';
import { unitFor } from './calendar.ts';
import './chart-table.css';
import { type Counted, tallyOf } from './counted.ts';
import { binNotes, leftOutWords, progressWords, seriesWords, spanWords, titleWords } from './countWords.ts';

/** Beyond this many days a table by weeks is read faster. */
const ROWS_MAX = 400;

interface DayTableProps {
  counted: Counted;
  series: readonly Series[];
  span: DayRange;
  noun: Noun;
  onClose: () => void;
}

/** What the chart shows, in figures, the newest day first; each day leads to its rows. Sums too, which no chart could show. */
export function DayTable({ counted, series, span, noun, onClose }: DayTableProps) {
  const [of, setOf] = useState<'counts' | 'sums'>('counts');
  const unit = unitFor(span, ROWS_MAX);
  const title = titleWords(noun, unit);
  const { search } = useLocation();
  const days = dayColumn(counted, capital(unit), new URLSearchParams(search), onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      wide="max-w-[min(60rem,calc(100vw-2rem))] *:min-w-0"
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 [&>p]:max-w-136 [&>p]:flex-[1_1_16rem] [&>p]:wrap-anywhere">
        <p className="small sub">
          {progressWords(counted)}. {leftOutWords(counted, noun)} {of === 'sums' && sumWords(counted, series, noun)}
        </p>
        <Segmented label="Figures" value={of} options={{ counts: 'Counts', sums: 'Sums' }} onChange={setOf} />
      </div>
      <div className="chart-table mt-2 max-h-[60dvh] overflow-auto border-y border-rule">
        <DataTable
          label={title}
          rows={binsOf(counted, series, span, unit).toReversed()}
          columns={[days, ...(of === 'counts' ? countColumns(series) : sumColumns(counted, series, span))]}
          keyOf={({ from }) => from}
          without={({ state }) => (state === 'unread' ? 'not loaded' : null)}
        />
      </div>
    </Dialog>
  );
}

function sumWords({ filters: { status } }: Counted, series: readonly Series[], noun: Noun): string {
  const of =
    status === undefined
      ? `Includes failed ${noun.many}. Filter by status to exclude them.`
      : `Exact sums of status ${visible(status)}.`;
  const others = series.find(({ asset }) => asset === null);
  if (!others) return of;
  return `${of} ${numberWords(others.assets)} more assets with ${countedWords(others.rows, noun.one, noun.many)}: filter by one to sum it.`;
}

/** Each day is a link to the list of it; days not read say so. */
function dayColumn(counted: Counted, head: string, search: URLSearchParams, onFollow: () => void): DataColumn<Bin> {
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
        {bin.state !== 'unread' && notes(bin)}
      </>
    ),
    foot: counted.end === 'all' ? 'All days' : 'Loaded so far',
  };
}

function notes(bin: Bin) {
  const said = [bin.now ? 'so far' : '', binNotes(bin)].filter(Boolean).join('; ');
  return said !== '' && <span className="dim"> {said}</span>;
}

/** Rows per day: all, and by asset where there are several. */
function countColumns(series: readonly Series[]): DataColumn<Bin>[] {
  const columns = series.map((each, at): DataColumn<Bin> => ({
    name: stringifyExact(each.asset),
    head: <bdi>{seriesWords(each)}</bdi>,
    className: 'num',
    cell: ({ counts }) => count(counts[at] ?? 0),
    foot: count(each.rows),
  }));
  if (columns.length === 1) return columns;
  const sum = series.reduce((all, { rows }) => all + rows, 0);
  return [{ name: 'All', className: 'num', cell: ({ rows }) => count(rows), foot: count(sum) }, ...columns];
}

function count(rows: number) {
  return rows === 0 ? <span className="dim">0</span> : numberWords(rows);
}

/** Exact sums per day of the assets that are told apart; never across assets. */
function sumColumns(counted: Counted, series: readonly Series[], span: DayRange): DataColumn<Bin>[] {
  return series.flatMap((each): DataColumn<Bin>[] => {
    const { asset } = each;
    if (asset === null) return [];
    const sum = (days: DayRange) => <SumCell counted={counted} asset={asset} days={days} />;
    // The whole is the longest of a column, unless amounts are negative.
    const style = { '--int': integerWidth([tallyOf(counted, asset, span).sum]).css };
    return [{ name: asset, head: seriesWords(each), className: 'cash', style, cell: sum, foot: sum(span) }];
  });
}

function SumCell({ counted, asset, days }: { counted: Counted; asset: string; days: DayRange }) {
  const { rows, sum, unreadable } = tallyOf(counted, asset, days);
  if (rows === 0) {
    return (
      <span className="amt">
        <span className="n dim">none</span>
      </span>
    );
  }
  return (
    <>
      <Amount value={sum} />
      {unreadable > 0 && <span className="dim"> without {numberWords(unreadable)} that cannot be read</span>}
    </>
  );
}
