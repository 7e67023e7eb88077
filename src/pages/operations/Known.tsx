import { ArrowRight, Ban, Check, CircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OperationView } from '#src/operations/outcomes.ts';
import { type OperationRecord, knownResultId } from '#src/operations/record.ts';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { KIND_WORDS } from '#src/operations/kindWords.ts';
import { nextSteps } from './nextSteps.tsx';

interface KnownProps {
  record: OperationRecord;
  view: Pick<OperationView, 'expired' | 'serviceNow' | 'checkOnly' | 'waiting' | 'asleepUntil'>;
}

/** What is known, what is not, what happens next and what must not be done, while nobody has settled it. */
export function Known({ record, view }: KnownProps) {
  const count = record.attempts.length;
  const id = knownResultId(record);
  const { doNot, unseen } = KIND_WORDS[record.kind];
  // A request id of the gateway's own says nothing of the service.
  const heard = record.attempts.some(({ requestId, gatewayError }) => requestId !== null && gatewayError === null);
  return (
    <div className="kn">
      <Part title="Known" icon={<Check className="icon-s" aria-hidden />}>
        <span>
          Recorded here at <Time unix={record.firstSentAt} />, before it left
        </span>
        <span>{count === 1 ? 'One attempt' : `${count} attempts, one key, identical bytes`}</span>
        {id !== null && (
          <span>
            An answer under this key named{' '}
            <span className="mono">
              <RawText value={id} max={80} />
            </span>
          </span>
        )}
      </Part>
      <Part title="Not known" icon={<CircleQuestionMark className="icon-s" aria-hidden />}>
        <span>
          {heard ? 'Whether the service carried out any attempt' : 'Whether the service received any attempt'}
        </span>
        {id === null && <span>{unseen}</span>}
      </Part>
      <Part title="What happens next" icon={<ArrowRight className="icon-s" aria-hidden />}>
        {nextSteps(record, view)}
      </Part>
      <Part title="Please do not" icon={<Ban className="icon-s" aria-hidden />}>
        <span>{doNot}</span>
        <span>Clear this browser’s site data: the key is kept here</span>
      </Part>
    </div>
  );
}

function Part({ title, icon, children }: { title: string; icon: ReactNode; children: ReactNode[] }) {
  const items = children.flatMap((item, at) => (item === false ? [] : [{ item, at }]));
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {items.map(({ item, at }) => (
          <li key={at}>
            {icon}
            {item}
          </li>
        ))}
      </ul>
    </section>
  );
}
