import { Link } from 'react-router';

import { byWhom } from '#src/shared/author.ts';
import { paths } from '#src/shared/paths.ts';
import type { PaymentHistory, HistoryPart } from '#src/shared/operations/paymentHistory.ts';
import { formatFull } from '#src/shared/time.ts';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { Time } from '#src/web/ui/Time.tsx';

/** Limit of one text in print, which has no button to show the rest. */
const PRINT_LENGTH_MAX = 4000;

/** The operations recorded about a payment. `whole`: for print, with times in UTC and without buttons. */
export function OperationHistory({ history, whole = false }: { history: PaymentHistory; whole?: boolean }) {
  const { status, reason, parts } = history;
  return (
    <section className="grid grid-cols-1 gap-2" aria-label="Recorded here">
      {whole ? <h2>Recorded here</h2> : <h3>Recorded here</h3>}
      {status === 'loading' && <p className="sub small">Loading operations</p>}
      {status === 'unavailable' && (
        <p className="sub small">
          Operations couldn’t be loaded: <UntrustedText value={reason ?? 'no reason given'} />
        </p>
      )}
      {status === 'ready' && parts.length === 0 && (
        <p className="sub small">Nothing was sent from here for this payment.</p>
      )}
      {parts.map((part) => (
        <Part key={part.key} part={part} whole={whole} />
      ))}
    </section>
  );
}

/** One operation. Its attempts are only on the operation's page and in the timeline. */
function Part({ part, whole }: { part: HistoryPart; whole: boolean }) {
  const when = (unix: number) => (whole ? formatFull(unix, 'utc') : <Time unix={unix} />);
  const { kind, relation, state, key, shownKey = key, recordedAt, approvals, attempts, ending } = part;
  return (
    <article className="grid grid-cols-1 gap-1 border-l-2 border-rule-strong pl-3 wrap-anywhere">
      <p>
        <b>{kind}:</b> {relation}
      </p>
      <p className="small">
        {state}. <Link to={paths.operation(key)}>Recorded {when(recordedAt)}</Link>
        {byWhom(part)}.
      </p>
      <p className="small">
        <span className="sub">Idempotency-Key</span>{' '}
        <UntrustedText mono value={shownKey} max={whole ? PRINT_LENGTH_MAX : 80} />{' '}
        {!whole && <CopyButton value={key} label="Copy idempotency key" />}
      </p>
      {approvals.map(({ person, name, at }) => (
        <p key={person} className="small">
          Approved by <UntrustedText value={name} max={120} />, {when(at)}.
        </p>
      ))}
      {attempts.length === 0 && <p className="small sub">No attempt: nothing was sent.</p>}
      {ending && (
        <p className="small">
          {ending.how}
          {byWhom(ending)}, {when(Math.floor(ending.at / 1000))}
          {ending.words !== '' && (
            <>
              : “<UntrustedText value={ending.words} max={whole ? PRINT_LENGTH_MAX : 200} />”
            </>
          )}
        </p>
      )}
    </article>
  );
}
