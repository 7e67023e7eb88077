import type { ReactNode } from 'react';
import type { SeenOperation } from '#src/api/operations.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { RawText } from '#src/ui/RawText.tsx';
import { Said } from './Said.tsx';
import { StateChip } from '#src/ui/StateChip.tsx';
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
      <Said live={live} key={live}>
        <StateChip mark={verdict} />
        <p>
          <b>{verdict.fact}</b> {verdict.meaning}
        </p>
      </Said>
      {record.state === 'sending' && <Waiting seen={seen} />}
      {record.state === 'refused' && <ServiceWords record={record} />}
      {children}
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
