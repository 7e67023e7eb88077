import { BookOpen, FolderOpen } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import { useSession } from '#src/web/api/session.ts';
import { signsByPasskey } from '#src/web/api/signing.ts';
import type { ReceivedView } from '#src/web/api/operations/operations.ts';
import { PaymentNoteSection } from '#src/web/report/PaymentNote.tsx';
import { Timeline } from '#src/web/report/Timeline.tsx';
import { sendingSteps } from '#src/web/report/timeline.ts';
import { statusIn } from '#src/web/report/useCaseFile.ts';
import { byWhom } from '#src/shared/author.ts';
import { KIND, titleOf } from '#src/shared/operations/kinds.ts';
import {
  isContradicted,
  mayResend,
  type Operation,
  recordedAt,
  withdrawalIdOf,
} from '#src/shared/operations/record.ts';
import { needsApproval, waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { isFinal } from '#src/shared/operations/states.ts';
import { type OperationStatus, operationStatus } from '#src/shared/operations/operationStatus.ts';
import { isJustSaved, isUnsentBeforeRestore } from '#src/shared/operations/unsettled.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';

import { paths, rowPath } from '#src/shared/paths.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { CopyText } from '#src/web/ui/CopyButton.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { Evidence } from '#src/web/report/Evidence.tsx';
import { Actions } from './Actions.tsx';
import { ApprovalPart } from './ApprovalPart.tsx';
import { AttemptList, Checks } from './AttemptList.tsx';
import { ContradictionTable } from './ContradictionTable.tsx';
import { ResendWindow } from './ResendWindow.tsx';
import { EarlierOperations } from './EarlierOperations.tsx';
import { UnconfirmedFacts } from './UnconfirmedFacts.tsx';
import { OperationResult, SentRequest } from './Result.tsx';
import { usePayment } from './usePayment.ts';
import { ArrivalNotice, ExistingOperationNotice } from './StatePage.tsx';
import { StatusBlock } from './StatusBlock.tsx';
import './operations.css';

const loadPaid = () => import('./PaidParts.tsx').then(({ PaidParts }) => ({ default: PaidParts }));
const PaidParts = lazy(loadPaid);
// Loaded early, so that it is there if the connection drops after the withdrawal is accepted.
void loadPaid().catch(() => undefined);

interface OperationDetailProps {
  view: ReceivedView;
  /** Another request was already recorded under the key, so the values typed last were not sent. */
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
      asOf={<FirstSent record={record} />}
      actions={<HeaderLinks record={record} />}
    >
      {children}
      <ExistingOperationNotice record={record} isResolved={isFinal(record.state)} />
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
        actions={!waitsForApproval(record) && <Actions view={view} payment={paymentStatus} calm={isCalm} />}
      >
        {record.state === 'succeeded' && record.kind !== 'withdrawal' && <OperationResult record={record} />}
        {record.batch && <OfBatch batch={record.batch} />}
      </StatusBlock>
      {isContradicted(record) && <ContradictionTable record={record} />}
      {record.state === 'unconfirmed' && <UnconfirmedFacts record={record} view={view} />}
      {needsApproval(record) && <ApprovalPart view={view} />}
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

function OfBatch({ batch }: { batch: NonNullable<Operation['batch']> }) {
  const { id, line, recipient, reference } = batch;
  return (
    <p>
      Line {line} of <Link to={paths.batch(id)}>a batch</Link>
      {recipient !== null && (
        <>
          , to <UntrustedText value={recipient} max={120} />
        </>
      )}
      {reference !== null && (
        <>
          , reference <UntrustedText value={reference} max={120} />
        </>
      )}
    </p>
  );
}

function OtherParts({ view }: { view: ReceivedView }) {
  const { operation: record } = view;
  const byPasskey = signsByPasskey(useSession());
  const isSending = record.state === 'sending' || record.state === 'ready';
  const isTimeline = isSending || needsApproval(record);
  return (
    <div className="opgrid">
      <div>
        {isTimeline && (
          <div className="in-pad">
            <Timeline
              steps={sendingSteps({ operation: record, approved: view.approved, stopped: view.stopped, byPasskey })}
              here={record.key}
              wide
            />
          </div>
        )}
        {!isSending && (!isTimeline || record.attempts.length > 0) && <AttemptList record={record} />}
        <Checks view={view} />
      </div>
      <div>
        {mayResend(record) && !isUnsentBeforeRestore(record) && KIND[record.kind].isCompared && (
          <ResendWindow view={view} />
        )}
        <SentRequest record={record} />
        <EarlierOperations record={record} />
        <div className="in-pad">
          <Evidence view={view} />
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

function FirstSent({ record }: { record: Operation }) {
  const zone = useZone();
  // In any other state there is no proof that it was sent.
  const isSent = record.state === 'succeeded' || record.state === 'refused';
  // The person who prepared it may not be the one who sent it.
  const isPrepared = needsApproval(record);
  const at = isSent && !isPrepared ? record.firstSent : recordedAt(record);
  return (
    <span>
      {isPrepared ? 'Prepared' : isSent ? 'Sent' : 'Recorded'}
      {record.who === null ? ' ' : `${byWhom(record)}, `}
      <Time unix={at.service} />
      {zone === 'utc' && ' UTC'}
    </span>
  );
}
