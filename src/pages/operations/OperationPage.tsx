import { Link, useLocation, useParams } from 'react-router';
import { formatAmount, isAmount } from '#src/lib/amount.ts';
import { paths } from '#src/lib/paths.ts';
import { mayResend } from '#src/operations/allowed.ts';
import { readWithdrawalBody } from '#src/operations/body.ts';
import type { OperationView } from '#src/operations/outcomes.ts';
import { type OperationRecord, knownResultId } from '#src/operations/record.ts';
import { useOperation, useOperations } from '#src/operations/useOperations.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { Time } from '#src/ui/Time.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { AcceptedBoundary } from './AcceptedBoundary.tsx';
import { Actions } from './Actions.tsx';
import { mayHaveLeft } from './attemptWords.ts';
import { Attempts } from './Attempts.tsx';
import { Checks } from './Checks.tsx';
import { Compare } from './Compare.tsx';
import { Known } from './Known.tsx';
import { NoOperation } from './NoOperation.tsx';
import './operations.css';
import { ResendWindow } from './ResendWindow.tsx';
import { Sent } from './Sent.tsx';
import { SuccessDetail } from './SuccessDetail.tsx';
import { verdictOf } from './verdict.ts';
import { VerdictBlock } from './VerdictBlock.tsx';

export function Component() {
  const { id = '' } = useParams();
  // Keyed, so that what one operation's page said never stands on another's.
  return <Operation key={id} id={id} />;
}

function Operation({ id }: { id: string }) {
  const view = useOperation(id);
  const { operation } = view;
  if (!operation) return <NoOperation view={view} id={id} />;
  return (
    <AcceptedBoundary acceptedId={operation.state === 'succeeded' ? knownResultId(operation) : null}>
      <Found record={operation} view={view} />
    </AcceptedBoundary>
  );
}

function Found({ record, view }: { record: OperationRecord; view: OperationView }) {
  const zone = useZone();
  const open = record.state === 'unconfirmed';
  return (
    <>
      <PageHeader
        title={titleOf(record)}
        asOf={
          <span>
            {mayHaveLeft(record) ? 'First sent ' : 'Recorded '}
            <Time unix={record.firstSentAt} age />
            {zone === 'utc' && ' (UTC)'}
          </span>
        }
      />
      <div className="page-body">
        <Arrival />
        <VerdictBlock
          verdict={verdictOf(record, view.expired)}
          record={record}
          actions={<Actions record={record} view={view} />}
        >
          {record.state === 'succeeded' && <SuccessDetail record={record} />}
        </VerdictBlock>
        {open && <Known record={record} />}
        <div className="opgrid">
          <div>
            {record.reason === 'mismatch' && <Compare record={record} />}
            <Attempts record={record} />
            <Checks checks={view.checks} />
          </div>
          <div>
            {mayResend(record) && <ResendWindow record={record} serviceNow={view.serviceNow} />}
            <Sent record={record} />
            <Earlier record={record} />
            <MayForget />
          </div>
        </div>
      </div>
    </>
  );
}

function titleOf(record: OperationRecord): string {
  const sent = readWithdrawalBody(record.body);
  if (!sent || !isAmount(sent.amount)) return 'Withdrawal';
  return `Withdrawal of ${formatAmount(sent.amount)} ${sent.asset}`;
}

/** Says why the form led here instead of sending. */
function Arrival() {
  const state: unknown = useLocation().state;
  if (typeof state !== 'object' || state === null || !('instead' in state)) return null;
  return (
    <div className="arrival">
      <Notice tone="open" live="status" title="Nothing new was recorded or sent.">
        This withdrawal to the same address is not settled yet. Settle it first, then start another if you still want
        one.
      </Notice>
    </div>
  );
}

function Earlier({ record }: { record: OperationRecord }) {
  if (record.secondSendOf.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Sent as a second one after</h2>
      <ul className="in-pad">
        {record.secondSendOf.map((id) => (
          <li key={id}>
            <Link className="id" to={id.startsWith('wd_') ? paths.withdrawal(id) : paths.operation(id)}>
              {id}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MayForget() {
  const { mayForget } = useOperations();
  if (!mayForget) return null;
  return (
    <p className="in-pad may-forget small sub">
      This browser did not promise to keep its records and may forget them. Copy the evidence and keep it.
    </p>
  );
}
