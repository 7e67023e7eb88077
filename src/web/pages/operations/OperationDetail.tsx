import { BookOpen, FolderOpen } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import type { ReceivedView } from '#src/web/api/operations/operations.ts';
import { PaymentNoteSection } from '#src/web/report/PaymentNote.tsx';
import { Timeline } from '#src/web/report/Timeline.tsx';
import { sendingSteps } from '#src/web/report/timeline.ts';
import { statusIn } from '#src/web/report/useCaseFile.ts';
import { mayHaveLeft } from '#src/shared/operations/attemptWords.ts';
import { KIND, titleOf } from '#src/shared/operations/kinds.ts';
import { isContradicted, mayResend, type Operation, withdrawalIdOf } from '#src/shared/operations/record.ts';
import { type OperationStatus, operationStatus } from '#src/shared/operations/operationStatus.ts';
import { isJustSaved } from '#src/shared/operations/stateMark.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { byWhom } from '#src/shared/text.ts';
import { paths, rowPath } from '#src/shared/paths.ts';
import { age } from '#src/shared/time.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { CopyText } from '#src/web/ui/CopyButton.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { Evidence } from '#src/web/report/Evidence.tsx';
import { Actions } from './Actions.tsx';
import { AttemptList, Checks } from './Attempts.tsx';
import { Compare, KnownFacts, ResendWindow } from './Known.tsx';
import { Result, SentContent } from './Result.tsx';
import { usePayment } from './usePayment.ts';
import { ArrivalNotice, ExistingOperationNotice } from './StatePage.tsx';
import { StatusBlock, useCarriedClock } from './StatusBlock.tsx';
import './operations.css';

const loadPaid = () => import('./PaidParts.tsx').then(({ PaidParts }) => ({ default: PaidParts }));
const PaidParts = lazy(loadPaid);
/** Nobody is offline for it once their withdrawal is accepted. */
void loadPaid().catch(() => undefined);

interface OperationDetailProps {
  seen: ReceivedView;
  /** What was typed last differs from it. */
  reused: boolean;
  children: ReactNode;
}

/** One operation: a verdict while it needs a person, else its status in a line and what happened to the payment. */
export function OperationDetail({ seen, reused, children }: OperationDetailProps) {
  const { operation: record } = seen;
  const hidden = useAmountsHidden();
  const nameOf = usePaymentNames();
  const payment = usePayment(record);
  const paymentStatus = payment?.isNow ? statusIn(payment.row) : undefined;
  const status = isJustSaved(seen)
    ? JUST_SAVED
    : operationStatus(record, seen, { payment: paymentStatus, amountsHidden: hidden });
  const isCalm = status.tone !== 'alarm' && (record.state === 'succeeded' || status.icon === 'plane');
  const sent = withdrawalFieldsOf(record);
  const to = sent === null ? '' : ` ${nameOf({ kind: 'withdrawal', id: '', ...sent })}`;
  return (
    <PageFrame
      title={titleOf(record, hidden) + to}
      isExact
      asOf={<When seen={seen} />}
      actions={<Ways record={record} />}
    >
      {children}
      <ExistingOperationNotice of={record} />
      {reused && (
        <ArrivalNotice tone="alarm" title="This was recorded earlier.">
          What you typed differs from it and was not sent.
        </ArrivalNotice>
      )}
      {seen.checkOnly && (
        <ArrivalNotice tone="plain" title="Recorded under another API key of this account.">
          Nothing states that keys share their idempotency records, so here it can be checked and closed, and never
          sent.
        </ArrivalNotice>
      )}
      <StatusBlock
        status={status}
        seen={seen}
        calm={isCalm}
        actions={<Actions seen={seen} payment={paymentStatus} calm={isCalm} />}
      >
        {record.state === 'succeeded' && record.kind !== 'withdrawal' && <Result record={record} />}
      </StatusBlock>
      {isContradicted(record) && <Compare record={record} />}
      {record.state === 'unconfirmed' && <KnownFacts record={record} view={seen} />}
      {payment ? (
        <Suspense>
          <PaidParts seen={seen} payment={payment}>
            <SentContent record={record} />
            <Earlier record={record} />
          </PaidParts>
        </Suspense>
      ) : (
        <OtherParts seen={seen} />
      )}
    </PageFrame>
  );
}

const JUST_SAVED: OperationStatus = {
  tone: 'motion',
  icon: 'plane',
  chip: 'Saved',
  fact: 'It is saved.',
  meaning: 'The server sends it next.',
};

function OtherParts({ seen }: { seen: ReceivedView }) {
  const { operation: record } = seen;
  const isSending = record.state === 'sending' || record.state === 'ready';
  return (
    <div className="opgrid">
      <div>
        {isSending && (
          <div className="in-pad">
            <Timeline steps={sendingSteps(record)} here={record.key} wide />
          </div>
        )}
        {!isSending && <AttemptList record={record} />}
        <Checks view={seen} />
      </div>
      <div>
        {mayResend(record) && KIND[record.kind].isCompared && <ResendWindow seen={seen} />}
        <SentContent record={record} />
        <Earlier record={record} />
        <div className="in-pad">
          <Evidence record={record} checks={seen.checks} />
        </div>
        <div className="in-pad pt-6">
          <PaymentNoteSection level="h2" subject={{ kind: 'operation', id: record.key }} />
        </div>
      </div>
    </div>
  );
}

function Ways({ record }: { record: Operation }) {
  const id = record.state === 'succeeded' ? withdrawalIdOf(record) : null;
  return (
    <>
      <CopyText size="small" label="Copy link" text={() => location.href} />
      {id !== null && (
        <>
          <Link
            className={buttonClass('plain', 'small')}
            to={rowPath(paths.withdrawals(), id, undefined, '/case-file')}
          >
            <FolderOpen className="icon-s" aria-hidden /> Case file
          </Link>
          <Link className={buttonClass('plain', 'small')} to={paths.ledger(new URLSearchParams({ source: id }))}>
            <BookOpen className="icon-s" aria-hidden /> Ledger
          </Link>
        </>
      )}
      <Link to={paths.operations}>All operations</Link>
    </>
  );
}

function When({ seen }: { seen: ReceivedView }) {
  const zone = useZone();
  const { operation: record } = seen;
  const { serviceNow } = useCarriedClock(seen);
  const at = record.firstSent.service;
  return (
    <span>
      {mayHaveLeft(record) ? 'First sent ' : 'Recorded '}
      <Time unix={at} />
      {serviceNow !== null && `, ${age(at, serviceNow)}`}
      {zone === 'utc' && ' (UTC)'}
      {byWhom(record.who)}
    </span>
  );
}

function Earlier({ record }: { record: Operation }) {
  if (record.secondSendOf.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Earlier ones shown at review</h2>
      <ul className="in-pad">
        {record.secondSendOf.map((id) => (
          <li key={id}>
            <EarlierOne id={id} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A withdrawal's id, an operation's key, or a token for what is shown to nobody. */
function EarlierOne({ id }: { id: string }) {
  if (id.startsWith('wd_')) {
    return (
      <Link className="id" translate="no" to={paths.withdrawal(id)}>
        {id}
      </Link>
    );
  }
  if (!KEY.test(id)) return <>What another account or API key may have sent, or what was lost from the journal</>;
  return (
    <Link className="id" translate="no" to={paths.operation(id)}>
      {id}
    </Link>
  );
}
