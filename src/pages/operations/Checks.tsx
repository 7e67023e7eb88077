import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import type { CheckNote, LookAlike } from '#src/operations/outcomes.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { Time } from '#src/ui/Time.tsx';

const FOUND: Record<CheckNote['found'], string> = {
  succeeded: 'The service shows it, equal to what was sent.',
  mismatch: 'The service shows something else under its id.',
  nothing: 'Not found there yet. Absence is not proof.',
  unreadable: 'The service could not be read. That says nothing.',
};

/** The read-only looks at the service that this page made. */
export function Checks({ checks }: { checks: readonly CheckNote[] }) {
  if (checks.length === 0) return null;
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">Checks</h2>
      <ul className="log in-pad">
        {checks.map((check) => (
          <li key={check.at}>
            <Time unix={Math.floor(check.at / 1000)} />
            <div>
              {FOUND[check.found]}
              {check.requestId !== null && (
                <span className="mono dim">
                  {' '}
                  <RawText value={check.requestId} max={60} />
                </span>
              )}
              <LookAlikes found={check.lookAlikes} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LookAlikes({ found }: { found: LookAlike[] | null }) {
  if (!found || found.length === 0) return null;
  return (
    <>
      <p>Looks like yours, and may be a colleague’s, so it proves nothing:</p>
      <ul>
        {found.map(({ id, amount, status, createdAt }) => (
          <li key={id} className="block">
            <Link to={paths.withdrawal(id)}>
              <ShortId value={id} />
            </Link>{' '}
            <Amount value={amount} flow />, <RawText value={status} max={40} />, <Time unix={createdAt} />
          </li>
        ))}
      </ul>
    </>
  );
}
