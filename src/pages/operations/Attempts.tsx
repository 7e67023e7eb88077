import { answerWords, isRunning } from '#src/lib/operations/attemptWords.ts';
import type { AttemptNote, Operation } from '#src/lib/operations/record.ts';
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
          <th scope="col">Answer</th>
          <th scope="col">Request id</th>
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
      <td data-label="Answer" className="answer">
        <UntrustedText value={answerWords(record, attempt)} max={160} />
        {attempt.errorMessage !== null && (
          <span className="small sub block">
            “<UntrustedText value={attempt.errorMessage} max={200} />”
          </span>
        )}
      </td>
      <td data-label="Request id" className={attempt.requestId === null ? 'dim hide-narrow' : undefined}>
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
