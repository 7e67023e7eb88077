import type { ReactNode } from 'react';
import { mayResend } from '#src/operations/allowed.ts';
import type { OperationView } from '#src/operations/outcomes.ts';
import {
  ABSENCE_PROVES_SECONDS,
  type OperationRecord,
  SEND_WINDOW_SECONDS,
  mayBeAbsent,
} from '#src/operations/record.ts';
import { Time } from '#src/ui/Time.tsx';

type Standing = Pick<OperationView, 'expired' | 'serviceNow' | 'checkOnly' | 'waiting' | 'asleepUntil'>;

/** What becomes of an unconfirmed operation, by itself and by a person. */
export function nextSteps(record: OperationRecord, view: Standing): ReactNode[] {
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
function sending(record: OperationRecord, { expired, checkOnly }: Standing): ReactNode {
  const end = <Time unix={record.firstSentAt + SEND_WINDOW_SECONDS} />;
  if (!mayResend(record)) {
    return record.reason === 'stored-failure' ? (
      <span key="send">Ask the service what became of it, with the evidence: a repeat brings the same failure</span>
    ) : (
      <span key="send">Ask the service what became of it, with the evidence: it cannot be sent again</span>
    );
  }
  if (expired === true) return <span key="send">Sending it again ended at {end}, after 23 hours</span>;
  if (checkOnly)
    return <span key="send">Signed in with the key that recorded it, it can be sent again until {end}</span>;
  return <span key="send">You can send it again until {end}: if it was carried out, the first answer comes back</span>;
}

/** What a complete list without it would prove. */
function absence(record: OperationRecord, { serviceNow }: Standing): ReactNode {
  if (record.kind !== 'withdrawal') {
    return <span key="absence">No read tells what became of it: only an answer does, or the service’s own word</span>;
  }
  if (!mayBeAbsent(record)) {
    return (
      <span key="absence">Absence from a list proves nothing here: the service once answered that it took it</span>
    );
  }
  const from = record.firstSentAt + ABSENCE_PROVES_SECONDS;
  if (serviceNow !== null && serviceNow >= from) {
    return <span key="absence">Absent from the service’s complete list, it can be confirmed as not sent</span>;
  }
  return (
    <span key="absence">
      From <Time unix={from} />, a complete list of the service without it proves that it was not sent
    </span>
  );
}
