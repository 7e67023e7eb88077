import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { byWhom } from '#src/shared/author.ts';
import { batchProgress, batchStatus, isPastStart, progressWords } from '#src/shared/batches/batchWords.ts';
import { amountsLeft } from '#src/shared/batches/batchTotals.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { failedLines } from '#src/shared/batches/failedLines.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, revealHidden } from '#src/shared/text.ts';
import { batchFilePath, batchQuery, type ReceivedBatch, useBatchCommand } from '#src/web/api/batches.ts';
import { ApiError } from '#src/web/api/errors.ts';
import { useRefusal, useRefusalToEndBatch } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { CommandButton, NOT_PRESSED } from '#src/web/list/CommandButton.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { CopyText } from '#src/web/ui/CopyButton.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { LiveStatus, verdictClass } from '#src/web/ui/Verdict.tsx';
import { BatchApproval, missingBatchApprovals } from './BatchApproval.tsx';
import { BatchLines } from './BatchLines.tsx';
import { ResultFile } from './ResultFile.tsx';
import { usePace } from './usePace.ts';
import { WithdrawRest } from './WithdrawRest.tsx';

export function Component() {
  const { id = '' } = useParams();
  const { account } = useSession();
  const query = useQuery(batchQuery(account, id));
  const { data, error } = query;
  if (data) return <BatchDetail key={id} view={data} query={query} />;
  if (error instanceof ApiError && error.status === 404 && error.code !== null) return <NoBatch />;
  return <LoadingBatch query={query} />;
}

const AllBatches = <Link to={paths.batches}>All batches</Link>;

function NoBatch() {
  return (
    <PageFrame padded title="No such batch" actions={AllBatches}>
      <EmptyState>No batch of this account has this link. It may belong to another account.</EmptyState>
    </PageFrame>
  );
}

function LoadingBatch({ query }: { query: UseQueryResult<ReceivedBatch> }) {
  const isSlow = useDelay(query.error === null);
  return (
    <PageFrame padded title="Batch" actions={AllBatches}>
      {query.error === null ? (
        isSlow && <output>Loading the batch</output>
      ) : (
        <LoadError of={query} heading="Couldn’t load the batch" />
      )}
    </PageFrame>
  );
}

interface BatchDetailProps {
  view: ReceivedBatch;
  query: UseQueryResult<ReceivedBatch>;
}

function BatchDetail({ view, query }: BatchDetailProps) {
  const { batch, lines } = view;
  const command = useBatchCommand(view);
  const endRefusal = useRefusalToEndBatch(batch);
  const zone = useZone();
  const name = batch.file_name === null ? 'Pasted rows' : revealHidden(batch.file_name);
  return (
    <PageFrame
      title={`Batch: ${name}`}
      isExact
      asOf={
        <span>
          {view.approval === null ? 'Recorded' : 'Prepared'}
          {batch.who === null ? ' ' : `${byWhom(batch)}, `}
          <Time unix={Math.floor(batch.at / 1000)} />
          {zone === 'utc' && ' UTC'}
        </span>
      }
      actions={
        <>
          <CopyText size="small" label="Copy link" text={() => location.href} />
          {AllBatches}
        </>
      }
    >
      {query.error && (
        <StaleBar
          error={query.error}
          readAt={Math.floor(query.dataUpdatedAt / 1000)}
          onRetry={() => void query.refetch()}
        />
      )}
      <BatchVerdict view={view} command={command} />
      <BatchApproval view={view} />
      <div className="grid gap-6 pt-5">
        {batch.again !== null && (
          <Facts className="px-gutter">
            <Fact label="Made again because">
              <UntrustedText value={batch.again} max={400} />
            </Fact>
          </Facts>
        )}
        <Totals view={view} />
        <BatchLines
          lines={lines}
          command={command}
          refusal={endRefusal}
          canExclude={batch.state === 'waiting' || batch.state === 'paused'}
        />
        <Files view={view} />
      </div>
    </PageFrame>
  );
}

/** Whether it is too late to start the batch. */
function isOver({ batch, approval, now }: ReceivedBatch): boolean {
  return approval === null ? isPastStart(batch, now) : now >= approval.expires_at;
}

type Command = ReturnType<typeof useBatchCommand>;

/** The state, what it means and what can be done. The running count isn't announced, as it changes all the time. */
function BatchVerdict({ view, command }: { view: ReceivedBatch; command: Command }) {
  const { batch } = view;
  const status = batchStatus(batch, { isPastStart: isOver(view), missingApprovals: missingBatchApprovals(view) });
  const progress = batchProgress(batch);
  const pace = usePace(view);
  return (
    <section className={verdictClass(status.tone)} aria-label="State">
      <LiveStatus mark={status}>
        <b>{status.fact}</b> {status.meaning}
      </LiveStatus>
      {batch.state !== 'waiting' && (
        <div className="grid max-w-184 gap-1">
          <p>{progressWords(progress, batch.state === 'running' ? pace : null)}</p>
          <progress
            className="block h-1.5 w-full appearance-none border-0 bg-skeleton [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-skeleton [&::-webkit-progress-value]:bg-accent"
            aria-label="Payments accepted"
            max={progress.lines}
            value={progress.accepted}
          />
        </div>
      )}
      <Actions view={view} command={command} />
    </section>
  );
}

function Actions({ view, command }: { view: ReceivedBatch; command: Command }) {
  const { batch, lines } = view;
  const startRefusal = useRefusal('send');
  const stopRefusal = useRefusal('stop-batch');
  const endRefusal = useRefusalToEndBatch(batch);
  const { left } = batchProgress(batch);
  const failed = failedLines(lines).length;
  const isRunning = batch.state === 'running';
  const isResting = left > 0 && (batch.state === 'waiting' || batch.state === 'paused');
  const canStart = isResting && !isOver(view);
  const missing = missingBatchApprovals(view);
  const newBatch = failed > 0 && !isRunning && (
    <ActionLink ability="prepare" to={paths.newBatch(batch.id)}>
      New batch from the {failed === 1 ? 'payment' : `${failed} payments`} that failed
    </ActionLink>
  );
  return (
    <div className="acts-row items-start">
      {isRunning && (
        <CommandButton
          mutation={stateOf(command, 'stop')}
          busy="Stopping…"
          disabledReason={stopRefusal}
          onPress={() => command.mutate('stop')}
        >
          Stop
        </CommandButton>
      )}
      {canStart && (missing === 0 || startRefusal === undefined) && (
        <CommandButton
          variant="primary"
          mutation={stateOf(command, 'start')}
          busy="Starting…"
          disabledReason={
            startRefusal ?? (missing > 0 ? `Needs ${counted(missing, 'more approval', 'more approvals')}.` : undefined)
          }
          onPress={() => command.mutate('start')}
        >
          {batch.state === 'waiting'
            ? `Send ${counted(left, 'payment', 'payments')}`
            : `Continue with ${counted(left, 'payment', 'payments')}`}
        </CommandButton>
      )}
      {isResting && <WithdrawRest left={left} command={command} disabledReason={endRefusal} />}
      {newBatch}
    </div>
  );
}

/** The state of the last command if it was `which`, else an idle state. */
function stateOf(command: Command, which: 'start' | 'stop'): Pick<Command, 'isPending' | 'error' | 'data'> {
  return command.variables === which ? command : NOT_PRESSED;
}

type Total = ReceivedBatch['batch']['totals'][number];

const TOTAL_COLUMNS: DataColumn<Total>[] = [
  { name: 'Asset', isHead: true, cell: ({ asset }) => <UntrustedText code value={asset} max={60} /> },
  { name: 'Chain', cell: ({ chain }) => <UntrustedText value={chainLabel(chain)} max={40} brief /> },
  { name: 'Total', className: 'cash', cell: ({ amount }) => <Amount value={amount} /> },
  { name: 'Accepted', className: 'cash', cell: ({ accepted }) => accepted !== null && <Amount value={accepted} /> },
];

function columnsWithLeft(amountLeft: ReturnType<typeof amountsLeft>): DataColumn<Total>[] {
  const cell = ({ asset, chain }: Total): ReactNode => {
    const amount = amountLeft(asset, chain);
    return amount === null ? <span className="dim">None</span> : <Amount value={amount} />;
  };
  return [...TOTAL_COLUMNS, { name: 'Left to send', className: 'cash', cell }];
}

function Totals({ view: { batch, lines } }: { view: ReceivedBatch }) {
  if (batch.totals.length === 0)
    return <p className="sub px-gutter">The totals aren’t known, because some payments can’t be read.</p>;
  const amounts = batch.totals.flatMap(({ amount, accepted }) => [amount, accepted]);
  const { left } = batchProgress(batch);
  const isPartlyLeft = left > 0 && left < batch.lines;
  return (
    <DataTable
      label="Totals"
      className="grid-table labelled fitted"
      style={{ '--int': integerWidth(amounts).css }}
      rows={batch.totals}
      columns={isPartlyLeft ? columnsWithLeft(amountsLeft(lines)) : TOTAL_COLUMNS}
      keyOf={({ asset, chain }) => `${asset} ${chain}`}
    />
  );
}

function Files({ view }: { view: ReceivedBatch }): ReactNode {
  return (
    <section className="grid gap-3 px-gutter pb-6" aria-label="Files">
      <h2>Files</h2>
      <div className="acts-row items-start">
        <ResultFile view={view} />
        <a className={buttonClass()} href={batchFilePath(view.batch.id)} download>
          <FileDown aria-hidden /> Original file
        </a>
      </div>
      <p className="small sub">
        The result file is a CSV for your accounting: each line with its fee, status, withdrawal and transaction, as the
        provider lists them now.
      </p>
    </section>
  );
}
