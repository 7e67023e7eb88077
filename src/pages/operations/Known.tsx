import { ArrowRight, Ban, Check, CircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { KIND } from '#src/lib/operations/kinds.ts';
import {
  type Operation,
  SEND_WINDOW_SECONDS,
  knownResultId,
  mayBeAbsent,
  mayResend,
} from '#src/lib/operations/record.ts';
import { byWhom } from '#src/lib/operations/who.ts';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';
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

/** What becomes of an unconfirmed operation, by itself and by a person. */
function nextSteps(record: Operation, view: Standing): ReactNode[] {
  const { waiting, asleepUntil } = view;
  const first =
    waiting && asleepUntil !== null ? (
      <span key="self">
        It is sent again by itself at <Time unix={Math.ceil(asleepUntil / 1000)} />, three times at most
      </span>
    ) : (
      <span key="self">Nothing is sent by itself</span>
    );
  return [first, sending(record, view), absence(record, view)];
}

/** Until when, and by whom, it can be sent again. */
function sending(record: Operation, { expired, checkOnly }: Standing): ReactNode {
  const end = <Time unix={record.firstSent.service + SEND_WINDOW_SECONDS} />;
  if (!mayResend(record)) {
    return record.reason === 'stored-failure' ? (
      <span key="send">Ask the service what became of it, with the evidence: a repeat brings the same failure</span>
    ) : (
      <span key="send">Ask the service what became of it, with the evidence: it cannot be sent again</span>
    );
  }
  if (expired) return <span key="send">Sending it again ended at {end}, after 23 hours</span>;
  if (checkOnly)
    return <span key="send">Signed in with the key that recorded it, it can be sent again until {end}</span>;
  return <span key="send">You can send it again until {end}: if it was carried out, the first answer comes back</span>;
}

/** What a complete list without it would prove. */
function absence(record: Operation, { serviceNow, absenceProvesFrom }: Standing): ReactNode {
  if (!KIND[record.kind].isCompared) {
    return <span key="absence">No read tells what became of it: only an answer does, or the service’s own word</span>;
  }
  if (!mayBeAbsent(record)) {
    return (
      <span key="absence">Absence from a list proves nothing here: the service once answered that it took it</span>
    );
  }
  if (serviceNow !== null && serviceNow >= absenceProvesFrom) {
    return <span key="absence">Absent from the service’s complete list, it can be confirmed as not sent</span>;
  }
  return (
    <span key="absence">
      From <Time unix={absenceProvesFrom} />, a complete list of the service without it proves that it was not sent
    </span>
  );
}
