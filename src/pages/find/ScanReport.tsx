import { Link } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { paths } from '#src/lib/paths.ts';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { type Covered, mayGoOn } from './scan.ts';
import type { useScan } from './useScan.ts';

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
          {matches.map(({ list, id, field }) => (
            <li key={`${list} ${id}`}>
              <Link to={list === 'deposits' ? paths.deposit(id) : paths.withdrawal(id)} onClick={onGo} className="id">
                <UntrustedText value={id} max={60} />
              </Link>{' '}
              <span className="sub">
                {list === 'deposits' ? 'deposit' : 'withdrawal'}, in its {field}
              </span>
            </li>
          ))}
        </ul>
      )}
      <output aria-live={running ? 'off' : 'polite'}>
        {read.length === 0 ? 'Reading' : 'Read '}
        {read.map((each, at) => (
          <span key={each.list}>
            {at > 0 && ', and '}
            <Coverage covered={each} />
          </span>
        ))}
        {read.length > 0 && '.'}{' '}
        {!running && error === null && matches.length === 0 && 'Not found here is no proof that it does not exist.'}
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
