import type { ReactNode } from 'react';
import type { ReceivedView } from '#src/web/api/operations/operations.ts';
import { byWhom } from '#src/shared/author.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';

import { Time } from '#src/web/ui/Time.tsx';
import { useMonotonicNow } from '#src/web/ui/useNow.ts';
import type { OperationStatus } from '#src/shared/operations/operationStatus.ts';
import { LiveStatus, verdictClass } from '#src/web/ui/Verdict.tsx';

interface StatusBlockProps {
  status: OperationStatus;
  view: ReceivedView;
  /** No one has to act, so one line is enough. */
  calm: boolean;
  /** The service's result, below the sentence. */
  children?: ReactNode;
  actions: ReactNode;
}

/** The operation's status. Changes are announced; only a contradicted payment interrupts. */
export function StatusBlock({ status, view, calm, children, actions }: StatusBlockProps) {
  const { operation: record } = view;
  const live = record.reason === 'mismatch' ? 'alert' : 'status';
  const look = calm
    ? 'flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 border-y border-rule px-gutter py-2'
    : verdictClass(status.tone);
  return (
    <section className={look} aria-label="State">
      <LiveStatus mark={status} live={live} key={live} calm={calm}>
        <b>{status.fact}</b> {status.meaning}
      </LiveStatus>
      {record.state === 'sending' && <SendingTime view={view} />}
      {record.state === 'refused' && <ServiceWords record={record} />}
      {children && <div className={calm ? 'order-1 grid basis-full gap-3 pb-2' : 'contents'}>{children}</div>}
      <Ending record={record} />
      {actions}
    </section>
  );
}

/** Not announced, as it changes every second. */
function SendingTime({ view }: { view: ReceivedView }) {
  const { attempts } = view.operation;
  const { now } = useCarriedClock(view);
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
          “<UntrustedText value={last.errorMessage} max={400} />”
        </>
      )}
      <span className="small sub block">
        Status {last.status ?? 'none'}
        {last.requestId !== null && (
          <>
            , request ID <UntrustedText mono value={last.requestId} max={60} />
          </>
        )}
        {last.replayed && ', replayed: the same response as the first time'}
      </span>
    </p>
  );
}

const ENDED_AT = {
  hand: 'Closed at',
  discard: 'Discarded at',
  reject: 'Rejected at',
  lapse: 'Ended at',
} as const;

/** How a person ended the operation: with a typed reason, or because a complete list did not have it. */
function Ending({ record }: { record: Operation }) {
  const { ending } = record;
  if (!ending || (ending.by === 'discard' && ending.words === '')) return null;
  const at = <Time unix={Math.floor(ending.at / 1000)} />;
  if (ending.by !== 'absence') {
    return (
      <Facts>
        <TextFact label="Reason" value={ending.words} max={600} />
        <Fact label={ENDED_AT[ending.by]}>
          {at}
          {byWhom(ending)}
        </Fact>
      </Facts>
    );
  }
  return (
    <Facts>
      <Fact label="Proof">
        Absent from the provider’s list of withdrawals, complete from <Time unix={record.firstSent.service} /> to{' '}
        <Time unix={record.ended?.service} />, by the provider’s clock
      </Fact>
      <TextFact label="Request ID" mono value={ending.requestId} max={80} />
      <Fact label="Confirmed at">
        {at}
        {byWhom(ending)}, typing “{ending.words}”
      </Fact>
    </Facts>
  );
}

/** The server's clock (ms) and the service's (Unix s), extrapolated from when the view was received; updates every second. */
export function useCarriedClock({
  now,
  serviceNow,
  receivedMs,
}: ReceivedView): Pick<ReceivedView, 'now' | 'serviceNow'> {
  const passed = Math.max(0, useMonotonicNow(1) - receivedMs);
  return { now: now + passed, serviceNow: serviceNow === null ? null : serviceNow + Math.floor(passed / 1000) };
}
