import { Link } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { counted } from '#src/lib/count.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { describeRange } from '#src/list/createdRange.ts';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { toneOf } from '#src/lib/paymentStatus.ts';
import { visible } from '#src/lib/text.ts';
import { formatClock } from '#src/lib/time.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { type ReadClocks, useNowByService } from '#src/ui/useNow.ts';
import { useZone } from '#src/ui/Time.tsx';
import type { ListKind } from './homeSources.ts';
import { HomeSection, Reading } from './HomeSection.tsx';
import { ReadOn } from './ReadOn.tsx';
import { type Day, type StatusSums, boundsOf, dayOf, searchFor, sumDay } from './today.ts';
import type { HomeList } from './useHomeList.ts';

interface TodayProps {
  lists: readonly HomeList[];
  /** Of a read whose service stated the time; null before any. */
  clocks: ReadClocks | null;
}

/** What came in and went out since the person's day began. */
export function Today({ lists, clocks }: TodayProps) {
  const zone = useZone();
  const now = useNowByService(clocks ?? { date: null, readAt: 0 });
  const day = dayOf(now, zone);
  return (
    <HomeSection title="Today">
      <p className="home-line sub">
        {describeRange(boundsOf(day), zone)}, from {formatClock(day.start, zone)}
        {clocks !== null && clocks.date === null && ' by this device’s clock, as the service states no time'}. By time
        of creation, with the status they have now.
      </p>
      <div className="home-today">
        {lists.map((list) => (
          <OfList key={list.kind.noun.one} list={list} day={day} />
        ))}
      </div>
    </HomeSection>
  );
}

function OfList({ list, day }: { list: HomeList; day: Day }) {
  const { kind } = list;
  return (
    <div>
      <h3>
        {kind.today}, {kind.noun.many}
      </h3>
      <Sums list={list} day={day} />
    </div>
  );
}

function Sums({ list, day }: { list: HomeList; day: Day }) {
  const zone = useZone();
  const { kind, recent, error, notOffered } = list;
  const { one, many } = kind.noun;
  if (recent === null) {
    if (error === null) return <Reading what={many} />;
    return (
      <p className="home-line sub">
        {notOffered ? `This service does not list ${many}.` : `Not read, see above: ${describeError(error).message}`}
      </p>
    );
  }
  const { statuses, rows, timeless, whole } = sumDay(recent, day);
  const counts = statuses.filter(({ status }) => toneOf(status) !== 'alarm');
  return (
    <>
      {error !== null && (
        <p className="home-line sub">Not read again since {formatClock(recent.readAt, zone)}, see above.</p>
      )}
      {!whole && <p className="home-line">Not all of today was read: these counts and sums are not whole.</p>}
      {rows === 0 ? (
        <p className="home-line sub">
          {whole ? `No ${one} was created today.` : `No ${one} of today among those read.`}
        </p>
      ) : (
        counts.length > 0 && <SumsTable kind={kind} statuses={counts} day={day} whole={whole} />
      )}
      <NotCounted kind={kind} statuses={statuses.filter((each) => !counts.includes(each))} day={day} />
      {timeless > 0 && (
        <p className="home-line">
          {counted(timeless, `${one} has`, `${many} have`)} no usable time and {timeless === 1 ? 'is' : 'are'} in no
          day.
        </p>
      )}
      {recent.malformed > 0 && (
        <p className="home-line">{counted(recent.malformed, 'item', 'items')} without an id not counted.</p>
      )}
      {!whole && <ReadOn list={list} />}
    </>
  );
}

/** Money that did not move after all is in no sum of what came in or went out. */
function NotCounted({ kind, statuses, day }: Omit<SumsTableProps, 'whole'>) {
  if (statuses.length === 0) return null;
  return (
    <p className="home-line home-links">
      Not counted:{' '}
      {statuses.map(({ status, rows }) => (
        <To key={status} search={searchFor({ status }, boundsOf(day))} kind={kind}>
          {counted(rows, kind.noun.one, kind.noun.many)}, {visible(status ?? '')}
        </To>
      ))}
    </p>
  );
}

interface SumsTableProps {
  kind: ListKind;
  statuses: readonly StatusSums[];
  day: Day;
  whole: boolean;
}

function SumsTable({ kind, statuses, day, whole }: SumsTableProps) {
  const sums = statuses.flatMap(({ totals }) => totals.map(({ sum }) => sum));
  return (
    <div className="table-scroll">
      <table
        className="grid-table home-sums"
        aria-label={`${kind.noun.many} of today`}
        style={{ '--int': integerWidth(sums).css }}
      >
        <thead>
          <tr>
            <th scope="col">Asset</th>
            <th scope="col">{kind.noun.one === 'deposit' ? 'Deposits' : 'Withdrawals'}</th>
            <th scope="col" className="cash">
              <span>{whole ? 'Sum' : 'Sum of those read'}</span>
            </th>
          </tr>
        </thead>
        {statuses.map((each) => (
          <StatusRows key={stringifyExact(each.status)} kind={kind} of={each} day={day} />
        ))}
      </table>
    </div>
  );
}

function StatusRows({ kind, of: { status, rows, totals }, day }: { kind: ListKind; of: StatusSums; day: Day }) {
  const bounds = boundsOf(day);
  const { one, many } = kind.noun;
  return (
    <tbody>
      <tr className="home-status">
        <th scope="rowgroup">
          <StatusCell status={status} />
        </th>
        <td colSpan={2}>
          <To search={searchFor({ status }, bounds)} kind={kind}>
            {counted(rows, one, many)}
          </To>
        </td>
      </tr>
      {totals.map(({ asset, rows: count, sum, unreadable }) => (
        <tr key={stringifyExact(asset)}>
          <th scope="row">{asset === null ? 'no asset' : <UntrustedText value={asset} max={24} />}</th>
          <td>
            <To search={searchFor({ status, asset }, bounds)} kind={kind}>
              {count.toLocaleString('en')}
              <span className="vh">
                {' '}
                {visible(asset ?? 'no asset')} {count === 1 ? one : many}, {visible(status ?? 'no status')}
              </span>
            </To>
          </td>
          <td className="cash">
            {unreadable < count && <Amount value={sum} asset={asset ?? undefined} />}
            {unreadable > 0 && (
              <span className="home-alarm">
                {' '}
                {unreadable.toLocaleString('en')} without a readable amount, not summed
              </span>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

/** A list with its filters set; plain text where a word cannot be a filter. */
function To({ search, kind, children }: { search: string | null; kind: ListKind; children: React.ReactNode }) {
  return search === null ? children : <Link to={kind.list(search)}>{children}</Link>;
}
