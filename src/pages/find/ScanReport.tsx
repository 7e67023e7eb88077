import { Link } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { paths } from '#src/lib/paths.ts';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { visible } from '#src/lib/text.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { type Covered, mayGoOn } from './scan.ts';
import type { useScan } from './useScan.ts';

/** More than a person would look through. */
const MOST_SHOWN = 50;

interface ScanReportProps {
  work: ReturnType<typeof useScan>;
  onGo: () => void;
}

/** What was found in the lists, how much of them was read, and what that does not prove. */
export function ScanReport({ work, onGo }: ScanReportProps) {
  const { scan, running, error } = work;
  if (scan === null) return null;
  const { matches, covered } = scan;
  const read = covered.filter(({ rows, end }) => rows > 0 || end !== 'more');
  return (
    <section aria-label="Search of the lists" className="find-scan">
      {matches.length > 0 && (
        <ul className="find-matches">
          {matches.slice(0, MOST_SHOWN).map(({ list, id, field, about }) => (
            <li key={`${list} ${id}`}>
              <Link to={list === 'deposits' ? paths.deposit(id) : paths.withdrawal(id)} onClick={onGo} className="id">
                <UntrustedText value={id} max={60} />
              </Link>{' '}
              <span className="sub">
                {list === 'deposits' ? 'deposit' : 'withdrawal'}, in its {field}
                {about !== '' && ` · ${visible(about)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {matches.length > MOST_SHOWN && (
        <p className="small sub">{(matches.length - MOST_SHOWN).toLocaleString('en')} more matches are not shown.</p>
      )}
      <output aria-live={running ? 'off' : 'polite'}>
        {read.length === 0 ? 'Reading' : 'Read '}
        {read.map((each, at) => (
          <span key={each.list}>
            {at > 0 && ', and '}
            <Coverage covered={each} />
          </span>
        ))}
        {read.length > 0 && '.'} {!running && error === null && matches.length === 0 && ended(covered)}
      </output>
      {error !== null && <ErrorNotice error={describeError(error)} heading="The search stopped" />}
      <div className="acts-row">
        {running ? (
          <Button size="small" onClick={work.cancel}>
            Cancel search
          </Button>
        ) : (
          mayGoOn(scan) && (
            <Button size="small" onClick={work.goOn}>
              {error === null ? 'Read on' : 'Retry'}
            </Button>
          )
        )}
      </div>
    </section>
  );
}

/** What it means that nothing was found. */
function ended(covered: readonly Covered[]): string {
  if (covered.some(({ end }) => end !== 'all' && end !== 'not-offered'))
    return 'No match so far. Older payments were not searched.';
  const all = covered.flatMap(({ list, rows, end }) => (end === 'all' ? `${rows.toLocaleString('en')} ${list}` : []));
  return `No match in all ${all.join(' and ')}. It may belong to another account, or not have been detected yet.`;
}

function Coverage({ covered: { list, rows, newest, oldest, end } }: { covered: Covered }) {
  if (end === 'not-offered') return <>no {list}: the service does not offer that list</>;
  return (
    <>
      {rows.toLocaleString('en')} {list}
      {newest !== null && oldest !== null && (
        <>
          , <Time unix={oldest} /> to <Time unix={newest} />
        </>
      )}
      {end === 'all' && ', all there are'}
      {end === 'broken' && ', where the service’s paging broke'}
    </>
  );
}
