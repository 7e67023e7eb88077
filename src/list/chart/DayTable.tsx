import { Link, useLocation } from 'react-router';
import { boundsOfDays, type DayRange } from '#src/list/createdRange.ts';
import { withoutFilters, writeFilters } from '#src/list/filterCodec.ts';
import { zoneName } from '#src/lib/time.ts';
import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { binsOf, type Series } from './bins.ts';
import { unitFor } from './calendar.ts';
import type { Counted } from './counted.ts';
import {
  binNotes,
  capital,
  type Noun,
  numberWords,
  progressWords,
  seriesWords,
  spanWords,
  titleWords,
} from './countWords.ts';

/** Beyond this many days a table by weeks is read faster. */
const ROWS_MAX = 400;

interface DayTableProps {
  counted: Counted;
  series: readonly Series[];
  span: DayRange;
  noun: Noun;
  onClose: () => void;
}

/** What the chart shows, in figures, the newest day first; each day leads to its rows. */
export function DayTable({ counted, series, span, noun, onClose }: DayTableProps) {
  const { search } = useLocation();
  const unit = unitFor(span, ROWS_MAX);
  const bins = binsOf(counted, series, span, unit).toReversed();
  const { filters, zone } = counted;
  const order = new URLSearchParams(search).get('order') === 'asc' ? { order: 'asc' as const } : {};
  const searchOf = (days: DayRange): string =>
    writeFilters(new URLSearchParams(search), {
      ...withoutFilters(filters, ['created_after', 'created_before']),
      ...boundsOfDays(days, zone),
      ...order,
    });
  return (
    <Dialog open onClose={onClose} title={titleWords(noun, unit)} actions={<Button onClick={onClose}>Close</Button>}>
      <p className="small sub">{progressWords(counted)}</p>
      <div className="chart-table">
        <table className="grid-table" aria-label={titleWords(noun, unit)}>
          <thead>
            <tr>
              <th scope="col">
                {capital(unit)} <span className="dim font-normal">{zoneName(zone)}</span>
              </th>
              {series.length > 1 && (
                <th scope="col" className="num">
                  All
                </th>
              )}
              {series.map((each) => (
                <th scope="col" className="num" key={JSON.stringify(each.asset)}>
                  <bdi>{seriesWords(each)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bins.map((bin) => (
              <tr key={bin.from}>
                <th scope="row">
                  <Link to={{ search: searchOf(bin) }} onClick={onClose}>
                    {spanWords(bin)}
                  </Link>
                  {bin.state !== 'unread' && <Notes words={[bin.now ? 'so far' : '', binNotes(bin)]} />}
                </th>
                {bin.state === 'unread' ? (
                  <td className="dim" colSpan={series.length + (series.length > 1 ? 1 : 0)}>
                    not read yet
                  </td>
                ) : (
                  <>
                    {series.length > 1 && <td className="num">{numberWords(bin.rows)}</td>}
                    {bin.counts.map((count, at) => (
                      <td className={count === 0 ? 'num dim' : 'num'} key={JSON.stringify(series[at]?.asset)}>
                        {numberWords(count)}
                      </td>
                    ))}
                  </>
                )}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{counted.end === 'all' ? 'All days' : 'As far as read'}</th>
              {series.length > 1 && (
                <td className="num">{numberWords(series.reduce((sum, { rows }) => sum + rows, 0))}</td>
              )}
              {series.map((each) => (
                <td className="num" key={JSON.stringify(each.asset)}>
                  {numberWords(each.rows)}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </Dialog>
  );
}

function Notes({ words }: { words: readonly string[] }) {
  const said = words.filter(Boolean).join('; ');
  return said === '' ? null : <span className="dim"> {said}</span>;
}
