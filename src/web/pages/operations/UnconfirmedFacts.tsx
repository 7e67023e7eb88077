import { ArrowRight, Ban, Check, CircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { byWhom } from '#src/shared/author.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import {
  type Operation,
  SEND_WINDOW_SECONDS,
  knownResultId,
  mayBeAbsent,
  mayResend,
  hadUnreadableSuccess,
} from '#src/shared/operations/record.ts';

import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { latenessText, type OperationTiming } from '#src/shared/operations/operationStatus.ts';
import { isUnsentBeforeRestore } from '#src/shared/operations/unsettled.ts';

/** For an unconfirmed operation: what is known, what isn't, what happens next, and what not to do. */
export function UnconfirmedFacts({ record, view }: { record: Operation; view: OperationTiming }) {
  const count = record.attempts.length;
  const id = knownResultId(record);
  const { duplicatingAction, unknownFact } = KIND[record.kind];
  const isRestored = isUnsentBeforeRestore(record);
  const wasReceived =
    hadUnreadableSuccess(record) ||
    record.attempts.some(({ requestId, lost }) => requestId !== null || lost === 'redirect');
  return (
    <div className="grid grid-cols-4 border-b border-rule max-[72rem]:grid-cols-2 narrow:grid-cols-1">
      <Part title="Known" icon={<Check className="icon-s" aria-hidden />}>
        <span>
          Recorded at <Time unix={record.firstSent.service} />
          {byWhom(record)}
          {!isRestored && ', before it left'}
        </span>
        <span>
          {isRestored
            ? 'No attempt that left is recorded'
            : count === 1
              ? 'One attempt'
              : `${count} attempts, one key, identical bytes`}
        </span>
        {id !== null && (
          <span>
            A response under this key named <UntrustedText mono value={id} max={80} />
          </span>
        )}
      </Part>
      <Part title="Not known" icon={<CircleQuestionMark className="icon-s" aria-hidden />}>
        <span>
          {isRestored
            ? 'Whether it was sent before the database was restored'
            : wasReceived
              ? 'Whether the provider processed any attempt'
              : 'Whether the provider received any attempt'}
        </span>
        {id === null && <span>{unknownFact}</span>}
      </Part>
      <Part title="What happens next" icon={<ArrowRight className="icon-s" aria-hidden />}>
        {nextSteps(record, view)}
      </Part>
      <Part title="Please do not" icon={<Ban className="icon-s" aria-hidden />}>
        {[<span key="not">{duplicatingAction}</span>]}
      </Part>
    </div>
  );
}

function Part({ title, icon, children }: { title: string; icon: ReactNode; children: ReactNode[] }) {
  const items = children.flatMap((item, at) => (item === false ? [] : [{ item, at }]));
  return (
    <section className="border-rule px-gutter pt-4 pb-5 not-first:border-l max-[72rem]:odd:border-l-0 max-[72rem]:nth-[n+3]:border-t narrow:border-l-0! narrow:not-first:border-t">
      <h2 className="pb-1 text-body">{title}</h2>
      <ul>
        {items.map(({ item, at }) => (
          <li key={at} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-2 py-1 wrap-anywhere [&>.lucide]:mt-0.75">
            {icon}
            {item}
          </li>
        ))}
      </ul>
    </section>
  );
}

function nextSteps(record: Operation, view: OperationTiming): ReactNode[] {
  const { waiting, asleepUntil } = view;
  const first =
    waiting && asleepUntil !== null ? (
      <span key="self">
        It is resent by itself at <Time unix={Math.ceil(asleepUntil / 1000)} />, three times at most
      </span>
    ) : (
      <span key="self">Nothing is sent by itself</span>
    );
  return [first, resendStep(record, view), absenceStep(record, view)];
}

function resendStep(record: Operation, view: OperationTiming): ReactNode {
  const { expired, checkOnly } = view;
  const end = <Time unix={record.firstSent.service + SEND_WINDOW_SECONDS} />;
  if (!mayResend(record)) {
    const why = record.reason === 'stored-failure' ? 'a repeat brings the same failure' : 'it can’t be resent';
    return <span key="send">Ask the provider what became of it, with the evidence: {why}</span>;
  }
  if (isUnsentBeforeRestore(record))
    return <span key="send">It can’t be resent, because the database was restored from an older copy</span>;
  if (expired) return <span key="send">{latenessText(record, view)}, so it can’t be resent</span>;
  if (checkOnly) return <span key="send">Signed in with the key that recorded it, it can be resent until {end}</span>;
  return <span key="send">It can be resent until {end}: if it was processed, the first response comes back</span>;
}

function absenceStep(record: Operation, { serviceNow, absenceProvesFrom }: OperationTiming): ReactNode {
  if (!KIND[record.kind].isCompared) {
    return <span key="absence">No list tells what became of it: only a response does, or the provider’s own word</span>;
  }
  if (!mayBeAbsent(record)) {
    return <span key="absence">Absence from a list proves nothing here: a 2xx response came under its key</span>;
  }
  if (serviceNow !== null && serviceNow >= absenceProvesFrom) {
    return <span key="absence">Absent from the provider’s complete list, it can be confirmed as not sent</span>;
  }
  return (
    <span key="absence">
      If it’s still missing from the provider’s complete list on <Time unix={absenceProvesFrom} />, you can safely mark
      it as not sent
    </span>
  );
}
