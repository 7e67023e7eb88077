import { Link } from 'react-router';
import type { CheckNote, LookAlike, OperationView } from '#src/api/gatewayContract.ts';
import { paths } from '#src/lib/paths.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { answerWords, isRunning } from '#src/lib/operations/attemptWords.ts';
import { type AttemptNote, type Operation, mayBeAbsent } from '#src/lib/operations/record.ts';
import { byWhom } from '#src/lib/operations/who.ts';
import { took } from '#src/lib/time.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time, useZone } from '#src/ui/Time.tsx';

/** Every attempt under the key, as recorded; times by the server. */
export function Attempts({ record }: { record: Operation }) {
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      {record.attempts.length === 0 ? (
        <p className="in-pad sub">None. Nothing has been sent.</p>
      ) : (
        <AttemptsTable record={record} />
      )}
    </section>
  );
}

export function AttemptsTable({ record }: { record: Operation }) {
  const zone = useZone() === 'utc' ? 'UTC' : 'local';
  return (
    <table className="grid-table labelled op-table">
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">
            Started <span className="font-normal">{zone}</span>
          </th>
          <th scope="col">Took</th>
          <th scope="col">Response</th>
          <th scope="col">Request ID</th>
          <th scope="col">Replayed</th>
        </tr>
      </thead>
      <tbody>
        {record.attempts.map((attempt, index) => (
          <Row key={attempt.id} record={record} attempt={attempt} number={index + 1} zone={zone} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  record: Operation;
  attempt: AttemptNote;
  number: number;
  zone: string;
}

function Row({ record, attempt, number, zone }: RowProps) {
  const answered = attempt.status !== null;
  return (
    <tr>
      <td data-label="Attempt">
        {number}
        {attempt.by === 'automatic' ? (
          <span className="dim small"> by itself</span>
        ) : (
          attempt.who !== null && <span className="dim small">{byWhom(attempt.who)}</span>
        )}
      </td>
      <td data-label={`Started ${zone}`}>
        <Time unix={Math.floor(attempt.start / 1000)} />
      </td>
      <td data-label="Took">{attempt.end === null ? '–' : took(attempt.start, attempt.end)}</td>
      <td data-label="Response" className="answer">
        <UntrustedText value={answerWords(record, attempt)} max={160} />
        {attempt.errorMessage !== null && (
          <span className="small sub block">
            “<UntrustedText value={attempt.errorMessage} max={200} />”
          </span>
        )}
      </td>
      <td data-label="Request ID" className={attempt.requestId === null ? 'dim hide-narrow' : undefined}>
        {attempt.requestId === null ? (
          'none'
        ) : (
          <span className="mono">
            <UntrustedText value={attempt.requestId} max={60} />
          </span>
        )}
      </td>
      <td data-label="Replayed" className={answered ? undefined : 'dim hide-narrow'}>
        {isRunning(record, attempt) || !answered ? 'none' : attempt.replayed ? 'yes' : 'no'}
      </td>
    </tr>
  );
}

type CheckedView = Pick<OperationView, 'operation' | 'absenceProvesFrom' | 'checks'>;

const FOUND: Record<Exclude<CheckNote['found'], 'nothing'>, string> = {
  succeeded: 'The provider has it, and it matches what was sent.',
  mismatch: 'The provider has something else under its ID.',
  unreadable: 'The provider couldn’t be reached. That says nothing.',
};

/** What a check saw, and what that is worth. */
function found(check: CheckNote, { operation, absenceProvesFrom }: CheckedView): string {
  if (check.found !== 'nothing') return FOUND[check.found];
  const { complete, lookAlikes, date } = check;
  const isLate = date !== null && date >= absenceProvesFrom;
  if (mayBeAbsent(operation) && isLate && lookAlikes?.length === 0) {
    return complete
      ? 'Not in the provider’s complete list, more than 26 hours after it was sent.'
      : 'Not in the newest part of the provider’s list. Only the complete list would be proof.';
  }
  return 'Not in the provider’s list yet. It may still appear: absence is not proof.';
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
      <p>Possible match (same amount, address and time), which proves nothing:</p>
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
