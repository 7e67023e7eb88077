import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import type { CheckNote, LookAlike, OperationView } from '#src/api/gatewayContract.ts';
import { mayBeAbsent } from '#src/lib/operations/record.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { Time } from '#src/ui/Time.tsx';

type CheckedView = Pick<OperationView, 'operation' | 'absenceProvesFrom' | 'checks'>;

/** What a check saw, and what that is worth. */
function found(check: CheckNote, { operation, absenceProvesFrom }: CheckedView): string {
  switch (check.found) {
    case 'succeeded':
      return 'The service shows it, equal to what was sent.';
    case 'mismatch':
      return 'The service shows something else under its id.';
    case 'unreadable':
      return 'The service could not be read. That says nothing.';
    case 'nothing':
      break;
  }
  const { complete, lookAlikes, date } = check;
  const isLate = date !== null && date >= absenceProvesFrom;
  if (mayBeAbsent(operation) && isLate && lookAlikes?.length === 0) {
    return complete
      ? 'Not in the service’s complete list, more than 26 hours after it was sent.'
      : 'Not in the newest part of the service’s list. Only the complete list would be proof.';
  }
  return 'Not found there yet. Absence is not proof.';
}

/** The read-only looks at the service that the server made lately. */
export function Checks({ view }: { view: CheckedView }) {
  const { checks } = view;
  if (checks.length === 0) return null;
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">Checks</h2>
      <ul className="log in-pad">
        {checks.map((check) => (
          <li key={check.at}>
            <Time unix={Math.floor(check.at / 1000)} />
            <div>
              {found(check, view)}
              {check.requestId !== null && (
                <span className="mono dim">
                  {' '}
                  <UntrustedText value={check.requestId} max={60} />
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
      <p>Possible match, which proves nothing:</p>
      <ul>
        {found.map(({ id, amount, status, createdAt }) => (
          <li key={id} className="block">
            <Link to={paths.withdrawal(id)}>
              <ShortId value={id} />
            </Link>{' '}
            <Amount value={amount} flow />, <UntrustedText value={status} max={40} />, <Time unix={createdAt} />
          </li>
        ))}
      </ul>
    </>
  );
}
