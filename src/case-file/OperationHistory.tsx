import { Link } from 'react-router';
import { byWhom } from '#src/lib/text.ts';
import { paths } from '#src/lib/paths.ts';
import type { PaymentHistory, HistoryAttempt, HistoryPart } from '#src/lib/operations/paymentHistory.ts';
import { formatFull, took } from '#src/lib/time.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';

/** Characters of one text on paper, where no button shows the rest. */
const WHOLE = 4000;

/** What is recorded about a deposit or a withdrawal. `whole`: on paper, where nothing is a button and both zones stand. */
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
        <p className="sub small">No operation recorded here has to do with it.</p>
      )}
      {parts.map((part) => (
        <Part key={part.key} part={part} whole={whole} />
      ))}
    </section>
  );
}

function Part({ part, whole }: { part: HistoryPart; whole: boolean }) {
  const { kind, relation, state, key, shownKey = key, who, recordedAt, attempts, ending } = part;
  return (
    <article className="grid grid-cols-1 gap-1 border-l-2 border-rule-strong pl-3 wrap-anywhere">
      <p>
        <b>{kind}:</b> {relation}
      </p>
      <p className="small">
        {state}.{' '}
        <Link to={paths.operation(key)}>
          Recorded {whole ? formatFull(recordedAt, 'utc') : <Time unix={recordedAt} />}
        </Link>
        {byWhom(who)}.
      </p>
      <p className="small">
        <span className="sub">Idempotency-Key</span> <UntrustedText mono value={shownKey} max={whole ? WHOLE : 80} />{' '}
        {!whole && <CopyButton value={key} label="Copy idempotency key" />}
      </p>
      {attempts.length === 0 ? (
        <p className="small sub">No attempt: nothing was sent.</p>
      ) : (
        <ol className="small grid list-decimal gap-1 pl-5" aria-label="Attempts">
          {attempts.map((attempt) => (
            <Attempt key={`${attempt.start} ${attempt.requestId}`} attempt={attempt} whole={whole} />
          ))}
        </ol>
      )}
      {ending && (
        <p className="small">
          {ending.how}
          {byWhom(ending.who)}, <Moment ms={ending.at} whole={whole} />
          {ending.words !== '' && (
            <>
              : “<UntrustedText value={ending.words} max={whole ? WHOLE : 200} />”
            </>
          )}
        </p>
      )}
    </article>
  );
}

function Attempt({ attempt, whole }: { attempt: HistoryAttempt; whole: boolean }) {
  const { start, end, automatic, who, outcome, message, requestId, replayed } = attempt;
  return (
    <li>
      <Moment ms={start} whole={whole} />
      {automatic ? ', by itself' : byWhom(who)}
      {end !== null && `, ${took(start, end)}`}: <UntrustedText value={outcome} max={whole ? WHOLE : 160} />
      {replayed && ', replayed'}
      {message !== null && (
        <>
          , “<UntrustedText value={message} max={whole ? WHOLE : 200} />”
        </>
      )}
      <span className="block">
        <span className="sub">Request</span>{' '}
        {requestId === null ? (
          <span className="sub">id: none</span>
        ) : (
          <UntrustedText mono value={requestId} max={whole ? WHOLE : 80} />
        )}
      </span>
    </li>
  );
}

function Moment({ ms, whole }: { ms: number; whole: boolean }) {
  const unix = Math.floor(ms / 1000);
  return whole ? formatFull(unix, 'utc') : <Time unix={unix} />;
}
