import { Link, Navigate, useParams } from 'react-router';
import type { SeenOperation } from '#src/api/operations.ts';
import { useStart } from '#src/api/startOperation.ts';
import { useOperation } from '#src/api/useOperations.ts';
import { locationState } from '#src/lib/locationState.ts';
import { mayHaveLeft } from '#src/lib/operations/attemptWords.ts';
import { KIND, titleOf } from '#src/lib/operations/kinds.ts';
import { type Operation, isContradicted, knownResultId, mayResend } from '#src/lib/operations/record.ts';
import { chipOf } from '#src/lib/operations/stateMark.ts';
import { byWhom } from '#src/lib/operations/who.ts';
import { paths } from '#src/lib/paths.ts';
import { age } from '#src/lib/time.ts';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { useAmountsHidden } from '#src/ui/Amount.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { Time, useZone } from '#src/ui/Time.tsx';
import { useHeadingFocus } from '#src/ui/useHeadingFocus.ts';
import { AcceptedBoundary } from './AcceptedBoundary.tsx';
import { Actions } from './Actions.tsx';
import { Attempts, Checks } from './Attempts.tsx';
import { Compare } from './Compare.tsx';
import { EvidencePart } from './EvidencePart.tsx';
import { Known, ResendWindow } from './Known.tsx';
import { KeyTaken, NoOperation, NotSent, Recording } from './NoOperation.tsx';
import { ArrivalNotice, ExistingOperationNotice } from './StatePage.tsx';
import './operations.css';
import { Result } from './Result.tsx';
import { Sent } from './Sent.tsx';
import { usePayment } from './usePayment.ts';
import { operationStatus } from '#src/lib/operations/operationStatus.ts';
import { StatusBlock, useCarriedClock } from './StatusBlock.tsx';

export function Component() {
  const { key = '' } = useParams();
  // Keyed, so that what one operation's page said never stands on another's.
  return <OperationAt key={key} address={key} />;
}

/** `address`: the operation's key, as the URL has it. */
function OperationAt({ address }: { address: string }) {
  const start = useStart(address);
  const conclusion = start?.conclusion;
  const isRecorded = start === undefined || conclusion?.kind === 'reused' || conclusion?.kind === 'unreadable';
  const query = useOperation(address, isRecorded);
  // What is known changes the heading that the navigation gave the focus to.
  useHeadingFocus(isRecorded ? query.status : conclusion === null ? 'recording' : 'told', true);
  if (start && conclusion === null) return <Recording start={start} />;
  if (start && conclusion?.kind === 'not-sent') {
    const existing = conclusion.lookAlikes?.existing;
    if (existing != null)
      return <Navigate to={paths.operation(existing)} replace state={locationState({ instead: true })} />;
    return <NotSent address={address} told={conclusion} start={start} />;
  }
  if (conclusion?.kind === 'taken') return <KeyTaken address={address} />;
  const { data, error, dataUpdatedAt } = query;
  if (!data) return <NoOperation address={address} query={query} />;
  const { operation } = data;
  const { kind, state } = operation;
  const accepted =
    state === 'succeeded' ? { one: KIND[kind].one, id: knownResultId(operation), mark: chipOf(operation) } : null;
  return (
    <AcceptedBoundary accepted={accepted}>
      <Found seen={data} reused={conclusion?.kind === 'reused'}>
        {error && <StaleBar error={error} readAt={Math.floor(dataUpdatedAt / 1000)} />}
      </Found>
    </AcceptedBoundary>
  );
}

interface FoundProps {
  seen: SeenOperation;
  /** What was typed last differs from it. */
  reused: boolean;
  /** What stands above it. */
  children: React.ReactNode;
}

function Found({ seen, reused, children }: FoundProps) {
  const { operation: record } = seen;
  const hidden = useAmountsHidden();
  const payment = usePayment(record);
  return (
    <>
      <PageHeader
        title={titleOf(record, hidden)}
        asOf={<When seen={seen} />}
        actions={<Link to={paths.operations}>All operations</Link>}
      />
      <div className="page-body">
        {children}
        <ExistingOperationNotice />
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
          status={operationStatus(record, seen, { payment: payment?.status, amountsHidden: hidden })}
          seen={seen}
          actions={<Actions seen={seen} payment={payment?.status} />}
        >
          {record.state === 'succeeded' && <Result record={record} payment={payment} />}
        </StatusBlock>
        {isContradicted(record) && <Compare record={record} />}
        {record.state === 'unconfirmed' && <Known record={record} view={seen} />}
        <div className="opgrid">
          <div>
            <Attempts record={record} />
            <Checks view={seen} />
          </div>
          <div>
            {mayResend(record) && <ResendWindow seen={seen} />}
            <Sent record={record} />
            <Earlier record={record} />
            <EvidencePart record={record} checks={seen.checks} />
          </div>
        </div>
      </div>
    </>
  );
}

function When({ seen }: { seen: SeenOperation }) {
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
      <h2 id="earlier">Sent as a second one after</h2>
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
      <Link className="id" to={paths.withdrawal(id)}>
        {id}
      </Link>
    );
  }
  if (!KEY.test(id)) return 'What another account or API key may have sent, or what was lost from the journal';
  return (
    <Link className="id" to={paths.operation(id)}>
      {id}
    </Link>
  );
}
