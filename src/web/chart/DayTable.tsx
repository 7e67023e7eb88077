import { Link, useLocation } from 'react-router';
import { capital, type Noun, numberWords, visibleCode } from '#src/shared/text.ts';
import { zoneName } from '#src/shared/time.ts';
import { ANY_TIME, boundsOfDays, type DayRange } from '#src/shared/createdRange.ts';
import { changeFilters, writeFilters } from '#src/web/list/filters/filterTable.ts';
import { FILTERS } from '#src/web/list/filters/listFilters.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { type Bin, binsOf, type Measure } from './bins.ts';
import { unitFor } from './calendar.ts';
import './chart-table.css';
import { type Counted, motionIn, NO_PART, type CountedPart, tallyOf } from './counted.ts';
import { binNotes, leftOutWords, loadedWords, spanWords, statusWord, titleWords } from './countWords.ts';

/** With more days than this, the rows are weeks or longer, which are easier to read. */
const ROWS_MAX = 400;

interface DayTableProps {
  counted: Counted;
  what: Measure;
  span: DayRange;
  noun: Noun;
  onClose: () => void;
}

export function DayTable({ counted, what, span, noun, onClose }: DayTableProps) {
  const unit = unitFor(span, ROWS_MAX);
  const title = titleWords(noun, unit);
  const { search } = useLocation();
  const days = dayColumn(counted, capital(unit), new URLSearchParams(search), onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title={what.kind === 'count' ? title : `${title}, ${visibleCode(what.asset).slice(0, 20)}`}
      wide="max-w-[min(60rem,calc(100vw-2rem))] *:min-w-0"
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <p className="small sub wrap-anywhere">
        {loadedWords(counted)}. {leftOutWords(counted, noun)}
      </p>
      <div className="chart-table mt-2 max-h-[60dvh] overflow-auto border-y border-rule">
        <DataTable
          label={title}
          rows={binsOf(counted, span, unit).toReversed()}
          columns={[days, ...partColumns(counted, what, span)]}
          keyOf={({ from }) => from}
          without={({ state }) => (state === 'unread' ? 'not loaded' : null)}
        />
      </div>
    </Dialog>
  );
}

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

/** Columns with a day's rows by status, or the exact sums of one asset. Columns that would be empty are left out. */
function partColumns(counted: Counted, what: Measure, span: DayRange): DataColumn<Bin>[] {
  const asset = what.kind === 'amount' ? what.asset : null;
  const partsIn = (days: DayRange) => {
    const tally = tallyOf(counted, asset, days);
    return [tally.done, motionIn(tally), tally.failed];
  };
  return [statusWord(counted), 'In progress', 'Failed'].flatMap((name, at): DataColumn<Bin>[] => {
    const whole = partsIn(span)[at] ?? NO_PART;
    if (whole.rows === 0 && at > 0) return [];
    const figure = ({ rows, sum }: CountedPart) => {
      if (rows === 0) return <span className="dim">{asset === null ? '0' : 'none'}</span>;
      return asset === null ? numberWords(rows) : <Amount value={sum} />;
    };
    return [
      {
        name,
        className: asset === null ? 'num' : 'cash',
        style: { '--int': integerWidth([whole.sum]).css },
        cell: (bin) => figure(partsIn(bin)[at] ?? NO_PART),
        foot: figure(whole),
      },
    ];
  });
}
