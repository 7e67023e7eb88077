import { Link } from 'react-router';
import { byWhom } from '#src/shared/author.ts';
import type { CheckNote, LookAlike, OperationView } from '#src/shared/contract/gatewayContract.ts';
import { paths } from '#src/shared/paths.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { answerWords, isRunning } from '#src/shared/operations/attemptWords.ts';
import { type AttemptNote, type Operation, mayBeAbsent } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';

import { took } from '#src/shared/time.ts';
import { UntrustedText, ShortId } from '#src/web/ui/UntrustedText.tsx';
import { Time, ZoneHead } from '#src/web/ui/Time.tsx';

/** The attempts of an operation, with times by the server's clock. */
export function AttemptList({ record }: { record: Operation }) {
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      {record.attempts.length === 0 ? (
        <p className="in-pad sub">None. Nothing has been sent.</p>
      ) : (
        <DataTable
          label="Attempts"
          className="grid-table labelled op-table"
          rows={record.attempts.map((attempt, at) => ({ record, attempt, number: at + 1 }))}
          columns={columns}
          keyOf={({ attempt }) => attempt.id}
        />
      )}
    </section>
  );
}

const NONE = <span className="dim">none</span>;

const columns: DataColumn<{ record: Operation; attempt: AttemptNote; number: number }>[] = [
  {
    name: 'No.',
    cell: ({ attempt, number }) => (
      <>
        {number}
        <span className="dim small">{attempt.by === 'automatic' ? ' by itself' : byWhom(attempt)}</span>
      </>
    ),
  },
  {
    name: 'Started',
    head: <ZoneHead word="Started" />,
    cell: ({ attempt }) => <Time unix={Math.floor(attempt.start / 1000)} />,
  },
  { name: 'Took', cell: ({ attempt: { start, end } }) => (end === null ? '–' : took(start, end)) },
  {
    name: 'Response',
    className: 'answer',
    cell: ({ record, attempt }) => (
      <>
        <UntrustedText value={answerWords(record, attempt)} max={160} />
        {attempt.errorMessage !== null && (
          <span className="small sub block">
            “<UntrustedText value={attempt.errorMessage} max={200} />”
          </span>
        )}
      </>
    ),
  },
  {
    name: 'Request ID',
    className: 'request',
    cell: ({ attempt: { requestId } }) =>
      requestId === null ? NONE : <UntrustedText mono value={requestId} max={60} />,
  },
  {
    name: 'Replayed',
    cell: ({ record, attempt }) =>
      isRunning(record, attempt) || attempt.status === null ? NONE : attempt.replayed ? 'yes' : 'no',
  },
];

type CheckedView = Pick<OperationView, 'operation' | 'absenceProvesFrom' | 'checks'>;

const CHECK_RESULT: Record<Exclude<CheckNote['found'], 'nothing'>, string> = {
  succeeded: 'The provider has it, and it matches what was sent.',
  mismatch: 'The provider has something else under its ID.',
  unreadable: 'The provider gave no usable response. That says nothing.',
};

export function checkResultText(check: CheckNote, { operation, absenceProvesFrom }: CheckedView): string {
  if (check.found !== 'nothing') return CHECK_RESULT[check.found];
  const { complete, lookAlikes, date } = check;
  const isLate = date !== null && date >= absenceProvesFrom;
  if (mayBeAbsent(operation) && isLate && lookAlikes?.length === 0) {
    return complete
      ? 'Not in the provider’s complete list, more than 26 hours after it was sent.'
      : 'Not in the newest part of the provider’s list. Only the complete list would be proof.';
  }
  if (lookAlikes !== null && lookAlikes.length > 0) return 'Not found for certain in the provider’s list.';
  return 'Not in the provider’s list yet. It may still appear: absence is not proof.';
}

export function Checks({ view }: { view: CheckedView }) {
  const { checks, operation } = view;
  const asset = withdrawalFieldsOf(operation)?.asset;
  if (checks.length === 0) return null;
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">Checks</h2>
      <ul className="in-pad text-small">
        {checks.map((check) => (
          <li
            key={check.at}
            className="grid grid-cols-[auto_minmax(0,1fr)] gap-3 border-t border-rule py-1.25 [&_time]:text-ink-2"
          >
            <Time unix={Math.floor(check.at / 1000)} />
            <div>
              {checkResultText(check, view)}
              {check.requestId !== null && (
                <span className="mono dim">
                  {' '}
                  <UntrustedText value={check.requestId} max={60} />
                </span>
              )}
              <LookAlikes found={check.lookAlikes} asset={asset} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LookAlikes({ found, asset }: { found: LookAlike[] | null; asset: string | undefined }) {
  if (!found || found.length === 0) return null;
  return (
    <>
      <p>Possible match, not proof:</p>
      <ul>
        {found.map(({ id, amount, status, createdAt }) => (
          <li key={id} className="block">
            <Link to={paths.withdrawal(id)}>
              <ShortId value={id} />
            </Link>{' '}
            <Amount value={amount} asset={asset} flow />, <UntrustedText value={status} max={40} />,{' '}
            <Time unix={createdAt} />
          </li>
        ))}
      </ul>
    </>
  );
}
