import { ArrowRight, Ban, Check, CircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { KIND } from '#src/lib/operations/kinds.ts';
import { type Operation, knownResultId } from '#src/lib/operations/record.ts';
import { byWhom } from '#src/lib/operations/who.ts';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { nextSteps } from './nextSteps.tsx';
import type { Standing } from './verdict.ts';

interface KnownProps {
  record: Operation;
  view: Standing;
}

/** What is known, what is not, what happens next and what must not be done, while nobody has settled it. */
export function Known({ record, view }: KnownProps) {
  const count = record.attempts.length;
  const id = knownResultId(record);
  const { doNot, unseen } = KIND[record.kind];
  const heard = record.attempts.some(({ requestId }) => requestId !== null);
  return (
    <div className="kn">
      <Part title="Known" icon={<Check className="icon-s" aria-hidden />}>
        <span>
          Recorded at <Time unix={record.firstSent.service} />
          {byWhom(record.who)}, before it left
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
        {[<span key="not">{doNot}</span>]}
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
