import type { ReactNode } from 'react';
import type { SeenOperation } from '#src/api/operations.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { RawText } from '#src/ui/RawText.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { byWhom } from '#src/lib/operations/who.ts';
import { Time } from '#src/ui/Time.tsx';
import { LiveStatus } from './StatePage.tsx';
import { useCarriedClock } from './useCarriedClock.ts';
import type { Verdict } from './verdict.ts';

interface VerdictBlockProps {
  verdict: Verdict;
  seen: SeenOperation;
  /** What the service says about it, below the sentence. */
  children?: ReactNode;
  actions: ReactNode;
}

/** Where the operation stands; its changes are announced, and only a contradicted payment interrupts. */
export function VerdictBlock({ verdict, seen, children, actions }: VerdictBlockProps) {
  const { operation: record } = seen;
  const live = record.reason === 'mismatch' ? 'alert' : 'status';
  return (
    <section className={`verdict verdict-${verdict.tone}`} aria-label="State">
      <LiveStatus mark={verdict} live={live} key={live}>
        <b>{verdict.fact}</b> {verdict.meaning}
      </LiveStatus>
      {record.state === 'sending' && <Waiting seen={seen} />}
      {record.state === 'refused' && <ServiceWords record={record} />}
      {children}
      <Ending record={record} />
      {actions}
    </section>
  );
}

/** Seconds in text; not announced, for it changes with every one of them. */
function Waiting({ seen }: { seen: SeenOperation }) {
  const { attempts } = seen.operation;
  const { now } = useCarriedClock(seen);
  const start = attempts.at(-1)?.start;
  if (start === undefined) return null;
  const seconds = Math.max(0, Math.floor((now - start) / 1000));
  return (
    <p className="small sub">
      Attempt {attempts.length}, {seconds} s of at most 30 s.
    </p>
  );
}

function ServiceWords({ record }: { record: Operation }) {
  const last = record.attempts.findLast((attempt) => attempt.outcome === 'refused');
  if (!last) return null;
  return (
    <p>
      {last.errorMessage !== null && (
        <>
          “<RawText value={last.errorMessage} max={400} />”
        </>
      )}
      <span className="small sub block">
        Status {last.status ?? 'none'}
        {last.requestId !== null && (
          <>
            , request{' '}
            <span className="mono">
              <RawText value={last.requestId} max={60} />
            </span>
          </>
        )}
        {last.replayed && ', replayed: the same answer as the first time'}
      </span>
    </p>
  );
}

/** How a person ended it: the typed reason, or the list in which it was absent. */
function Ending({ record }: { record: Operation }) {
  const { ending } = record;
  if (!ending || (ending.by === 'discard' && ending.words === '')) return null;
  const at = <Time unix={Math.floor(ending.at / 1000)} />;
  if (ending.by !== 'absence') {
    return (
      <Facts>
        <Fact label="Reason">
          <RawText value={ending.words} max={600} />
        </Fact>
        <Fact label={ending.by === 'hand' ? 'Closed at' : 'Discarded at'}>
          {at}
          {byWhom(ending.who)}
        </Fact>
      </Facts>
    );
  }
  return (
    <Facts>
      <Fact label="Proof">
        Absent from the service’s list of withdrawals, complete from <Time unix={record.firstSent.service} /> to{' '}
        <Time unix={record.ended?.service} />, by the service’s clock
      </Fact>
      {ending.requestId !== null && (
        <Fact label="Request id" mono>
          <RawText value={ending.requestId} max={80} />
        </Fact>
      )}
      <Fact label="Confirmed at">
        {at}
        {byWhom(ending.who)}, typing “{ending.words}”
      </Fact>
    </Facts>
  );
}
