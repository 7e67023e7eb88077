import { Link, useParams } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { age } from '#src/lib/time.ts';
import { mayResend } from '#src/operations/allowed.ts';
import type { OperationView } from '#src/operations/outcomes.ts';
import { type OperationRecord, knownResultId } from '#src/operations/record.ts';
import { useOperation } from '#src/operations/useOperations.ts';
import { useAmountsHidden } from '#src/ui/amountsHidden.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { Time } from '#src/ui/Time.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { AcceptedBoundary } from './AcceptedBoundary.tsx';
import { Actions } from './Actions.tsx';
import { Arrival } from './Arrival.tsx';
import { mayHaveLeft } from '#src/operations/attemptWords.ts';
import { Attempts } from './Attempts.tsx';
import { Checks } from './Checks.tsx';
import { Compare } from './Compare.tsx';
import { Ending } from './Ending.tsx';
import { EvidencePart } from './EvidencePart.tsx';
import { KIND_WORDS, titleOf } from '#src/operations/kindWords.ts';
import { Known } from './Known.tsx';
import { NoOperation } from './NoOperation.tsx';
import './operations.css';
import { ResendWindow } from './ResendWindow.tsx';
import { ResultByKind } from './ResultByKind.tsx';
import { Sent } from './Sent.tsx';
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
  const accepted = operation.state === 'succeeded';
  return (
    <AcceptedBoundary
      accepted={accepted ? { one: KIND_WORDS[operation.kind].one, id: knownResultId(operation) } : null}
    >
      <Found record={operation} view={view} />
    </AcceptedBoundary>
  );
}

function Found({ record, view }: { record: OperationRecord; view: OperationView }) {
  const zone = useZone();
  const hidden = useAmountsHidden();
  const open = record.state === 'unconfirmed';
  return (
    <>
      <PageHeader
        title={titleOf(record, hidden)}
        asOf={
          <span>
            {mayHaveLeft(record) ? 'First sent ' : 'Recorded '}
            <Time unix={record.firstSentAt} />
            {view.serviceNow !== null && `, ${age(record.firstSentAt, view.serviceNow)}`}
            {zone === 'utc' && ' (UTC)'}
          </span>
        }
        actions={<Link to={paths.operations}>All operations</Link>}
      />
      <div className="page-body">
        <Arrival />
        {view.checkOnly && <OtherKey />}
        <VerdictBlock
          verdict={verdictOf(record, view)}
          record={record}
          actions={<Actions record={record} view={view} />}
        >
          {record.state === 'succeeded' && <ResultByKind record={record} />}
          <Ending record={record} />
        </VerdictBlock>
        {record.reason === 'mismatch' && <Compare record={record} />}
        {open && <Known record={record} view={view} />}
        <div className="opgrid">
          <div>
            <Attempts record={record} />
            <Checks record={record} checks={view.checks} />
          </div>
          <div>
            {mayResend(record) && <ResendWindow record={record} serviceNow={view.serviceNow} />}
            <Sent record={record} />
            <Earlier record={record} />
            <EvidencePart record={record} checks={view.checks} />
          </div>
        </div>
      </div>
    </>
  );
}

function OtherKey() {
  return (
    <div className="arrival">
      <Notice tone="plain" title="Recorded under another API key of this account.">
        Nothing states that keys share their idempotency records, so here it can be checked and closed, and never sent.
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
