import type { ReactNode } from 'react';
import { KIND } from '#src/lib/operations/kinds.ts';
import { type Operation, SEND_WINDOW_SECONDS, mayBeAbsent } from '#src/lib/operations/record.ts';
import { Time } from '#src/ui/Time.tsx';
import type { Standing } from './verdict.ts';

/** Which reasons of `unconfirmed` allow to send again; the others can only be checked. */
export function mayResend({ state, reason }: Pick<Operation, 'state' | 'reason'>): boolean {
  return state === 'unconfirmed' && (reason === 'no-answer' || reason === 'signed-out');
}

/** What becomes of an unconfirmed operation, by itself and by a person. */
export function nextSteps(record: Operation, view: Standing): ReactNode[] {
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
