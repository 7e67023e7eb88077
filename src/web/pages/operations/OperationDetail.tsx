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
import { isJustSaved } from '#src/shared/operations/unsettled.ts';
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
import { AttemptList, Checks } from './AttemptList.tsx';
import { ContradictionTable } from './ContradictionTable.tsx';
import { ResendWindow } from './ResendWindow.tsx';
import { UnconfirmedFacts } from './UnconfirmedFacts.tsx';
import { OperationResult, SentRequest } from './Result.tsx';
import { usePayment } from './usePayment.ts';
import { ArrivalNotice, ExistingOperationNotice } from './StatePage.tsx';
import { StatusBlock, useCarriedClock } from './StatusBlock.tsx';
import './operations.css';

const loadPaid = () => import('./PaidParts.tsx').then(({ PaidParts }) => ({ default: PaidParts }));
const PaidParts = lazy(loadPaid);
// Loaded early, so that it is there if the connection drops after the withdrawal is accepted.
void loadPaid().catch(() => undefined);

interface OperationDetailProps {
  view: ReceivedView;
  /** The key had recorded another request: what was typed last was not sent. */
  reused: boolean;
  children: ReactNode;
}

/** One operation: a large status block while it needs a person, otherwise one status line and the payment's history. */
export function OperationDetail({ view, reused, children }: OperationDetailProps) {
  const { operation: record } = view;
  const hidden = useAmountsHidden();
  const nameOf = usePaymentNames();
  const payment = usePayment(record);
  const paymentStatus = payment?.isNow ? statusIn(payment.row) : undefined;
  const status = isJustSaved(view)
    ? JUST_SAVED
    : operationStatus(record, view, { payment: paymentStatus, amountsHidden: hidden });
  const isCalm = status.tone !== 'alarm' && (record.state === 'succeeded' || status.icon === 'plane');
  const sent = withdrawalFieldsOf(record);
  const to = sent === null ? '' : ` ${nameOf({ kind: 'withdrawal', id: '', ...sent })}`;
  return (
    <PageFrame
      title={titleOf(record, hidden) + to}
      isExact
      asOf={<FirstSent view={view} />}
      actions={<HeaderLinks record={record} />}
    >
      {children}
      <ExistingOperationNotice of={record} />
      {reused && (
        <ArrivalNotice tone="alarm" title="This was recorded earlier.">
          What you typed differs from it and was not sent.
        </ArrivalNotice>
      )}
      {view.checkOnly && (
        <ArrivalNotice tone="plain" title="Recorded under another API key of this account.">
          Nothing states that keys share their idempotency records, so here it can be checked and closed, and never
          sent.
        </ArrivalNotice>
      )}
      <StatusBlock
        status={status}
        view={view}
        calm={isCalm}
        actions={<Actions view={view} payment={paymentStatus} calm={isCalm} />}
      >
        {record.state === 'succeeded' && record.kind !== 'withdrawal' && <OperationResult record={record} />}
      </StatusBlock>
      {isContradicted(record) && <ContradictionTable record={record} />}
      {record.state === 'unconfirmed' && <UnconfirmedFacts record={record} view={view} />}
      {payment ? (
        <Suspense>
          <PaidParts view={view} payment={payment}>
            <SentRequest record={record} />
            <EarlierOperations record={record} />
          </PaidParts>
        </Suspense>
      ) : (
        <OtherParts view={view} />
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

function OtherParts({ view }: { view: ReceivedView }) {
  const { operation: record } = view;
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
        <Checks view={view} />
      </div>
      <div>
        {mayResend(record) && KIND[record.kind].isCompared && <ResendWindow view={view} />}
        <SentRequest record={record} />
        <EarlierOperations record={record} />
        <div className="in-pad">
          <Evidence record={record} checks={view.checks} />
        </div>
        <div className="in-pad pt-6">
          <PaymentNoteSection level="h2" subject={{ kind: 'operation', id: record.key }} />
        </div>
      </div>
    </div>
  );
}

function HeaderLinks({ record }: { record: Operation }) {
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

function FirstSent({ view }: { view: ReceivedView }) {
  const zone = useZone();
  const { operation: record } = view;
  const { serviceNow } = useCarriedClock(view);
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

function EarlierOperations({ record }: { record: Operation }) {
  if (record.secondSendOf.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Earlier ones shown at review</h2>
      <ul className="in-pad">
        {record.secondSendOf.map((id) => (
          <li key={id}>
            <EarlierLink id={id} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A withdrawal id, an operation key, or a token for something that may not be shown to this session. */
function EarlierLink({ id }: { id: string }) {
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
