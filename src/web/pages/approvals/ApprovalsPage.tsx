import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ApprovalList } from '#src/shared/contract/approvalsContract.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { dueFirst } from '#src/shared/due/dueDates.ts';
import { neededFrom } from '#src/shared/operations/neededFrom.ts';
import { paths } from '#src/shared/paths.ts';
import { counted } from '#src/shared/text.ts';
import {
  type ReceivedApproval,
  useApprovals,
  useApprove,
  useBatchNeed,
  type WaitingBatch,
} from '#src/web/api/approvals.ts';
import { usePayBy } from '#src/web/api/payBy.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import { integerWidth } from '#src/web/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { Updated } from '#src/web/ui/Updated.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { useShowMore } from '#src/web/ui/useShowMore.tsx';
import {
  approvalAmount,
  batchColumns,
  DECIDED_COLUMNS,
  selectColumn,
  usePaymentTitle,
  waitingColumns,
} from './approvalColumns.tsx';
import { ApprovedTogether, ApproveTogether } from './ApproveTogether.tsx';

/** Payments that need approval. Those that wait for this person come first. */
export function Component() {
  const [search] = useSearchParams();
  const after = search.get('after');
  const query = useApprovals(after);
  const { data, error, dataUpdatedAt, isFetching, refetch } = query;
  const slow = useDelay(data === undefined && error === null);
  return (
    <PageFrame
      title="Approvals"
      asOf={
        data && (
          <Updated at={Math.floor(dataUpdatedAt / 1000)} isFetching={isFetching} onRefresh={() => void refetch()} />
        )
      }
    >
      {data === undefined ? (
        error === null ? (
          <div className="pad">{slow && <output>Loading approvals</output>}</div>
        ) : (
          <LoadError of={query} heading="Couldn’t load approvals" />
        )
      ) : (
        <>
          {error && <StaleBar error={error} readAt={Math.floor(dataUpdatedAt / 1000)} onRetry={() => void refetch()} />}
          <OtherPages more={data.more} isFirst={after === null} />
          <Sections {...data} />
        </>
      )}
    </PageFrame>
  );
}

/** Links to the payments that wait and aren't on this page. */
function OtherPages({ more, isFirst }: Pick<ApprovalList, 'more'> & { isFirst: boolean }) {
  if (more === null && isFirst) return null;
  return (
    <p className="flex flex-wrap gap-x-4 px-gutter pt-4">
      {!isFirst && <Link to={paths.approvals}>Show the payments that have waited longest</Link>}
      {more !== null && (
        <span>
          {counted(more.count, 'more payment waits', 'more payments wait')}.{' '}
          <Link to={`${paths.approvals}?${new URLSearchParams({ after: more.after }).toString()}`}>
            Show the next ones
          </Link>
        </span>
      )}
    </p>
  );
}

interface SectionsProps {
  waiting: readonly ReceivedApproval[];
  batches: readonly WaitingBatch[];
  decided: readonly OperationView[];
}

/** Sorted by pay-by date, then by expiry. */
function Sections({ decided, ...props }: SectionsProps) {
  const batchNeed = useBatchNeed();
  const { dateOf, hasAny } = usePayBy();
  const waiting = dueFirst(props.waiting, (approval) => dateOf(keyOfApproval(approval)));
  const batches = dueFirst(props.batches, ({ batch }) => dateOf(batch.id));
  const batchesForMe = batches.filter((batch) => batchNeed(batch) !== null);
  const batchesForOthers = batches.filter((batch) => batchNeed(batch) === null);
  const me = useSession().person?.id ?? '';
  const refusal = useRefusal('approve');
  const needYou = waiting.filter((approval) => neededFrom(approval, me) !== null);
  const others = waiting.filter((approval) => neededFrom(approval, me) === null);
  if (waiting.length === 0 && batches.length === 0 && decided.length === 0)
    return (
      <EmptyState title="Nothing waits for your approval.">
        {refusal === undefined
          ? 'A payment of somebody else that needs approval appears here.'
          : `A payment that needs approval appears here. ${refusal}`}
      </EmptyState>
    );
  return (
    <>
      <NeedYou
        approvals={needYou}
        batches={batchesForMe}
        none={refusal === undefined ? 'Nothing waits for your approval.' : `Nothing needs you. ${refusal}`}
      />
      <Section
        title="Waiting for others"
        count={others.length + batchesForOthers.length}
        none="Nothing waits for others."
      >
        <Table
          label="Waiting for others"
          rows={others}
          columns={waitingColumns(true, hasAny(others.map(keyOfApproval)))}
          keyOf={keyOfApproval}
        />
        <BatchTable label="Batches that wait for others" batches={batchesForOthers} />
      </Section>
      <Section title="Decided" none="Nothing was decided yet." count={decided.length} isCounted={false}>
        <Table label="Decided" rows={decided} columns={DECIDED_COLUMNS} keyOf={({ operation }) => operation.key} />
      </Section>
    </>
  );
}

function keyOfApproval({ view }: ReceivedApproval): string {
  return view.operation.key;
}

interface NeedYouProps {
  approvals: readonly ReceivedApproval[];
  batches: readonly WaitingBatch[];
  none: string;
}

/** Payments that need this person. Those without anything unusual can be selected and approved with one signature. */
function NeedYou({ approvals, batches, none }: NeedYouProps) {
  const me = useSession().person?.id ?? '';
  const titleOf = usePaymentTitle();
  const approve = useApprove();
  const hasPayBy = usePayBy().hasAny(approvals.map(keyOfApproval));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selectable = approvals.filter(
    (approval) => approval.unusual.length === 0 && approval.barred === null && neededFrom(approval, me) === 'approve',
  );
  const selected = selectable.filter((approval) => chosen.has(keyOfApproval(approval)));
  const toggle = (keys: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const key of keys) {
      if (isChosen) next.add(key);
      else next.delete(key);
    }
    setChosen(next);
  };
  const select = selectColumn({ selectable, chosen, toggle, titleOf: ({ view }) => titleOf(view.operation) });
  const columns = waitingColumns(false, hasPayBy);
  return (
    <Section title="Needs you" count={approvals.length + batches.length} none={none}>
      <ApprovedTogether approve={approve} />
      <Table
        label="Needs you"
        rows={approvals}
        columns={selectable.length > 0 ? [select, ...columns] : columns}
        keyOf={keyOfApproval}
      />
      {selectable.length > 0 && selectable.length < approvals.length && (
        <p className="small sub px-gutter py-2">What is unusual is approved on the payment’s own page, one by one.</p>
      )}
      <BatchTable label="Batches that need you" batches={batches} />
      {selected.length > 0 && (
        <ApproveTogether
          selected={selected}
          approve={approve}
          titleOf={({ view }) => titleOf(view.operation)}
          onApproved={() => setChosen(new Set())}
        />
      )}
    </Section>
  );
}

/** A batch is approved on its own page. */
function BatchTable({ label, batches }: { label: string; batches: readonly WaitingBatch[] }) {
  const hasPayBy = usePayBy().hasAny(batches.map(({ batch }) => batch.id));
  if (batches.length === 0) return null;
  return (
    <DataTable
      label={label}
      className="grid-table labelled fitted"
      style={{ '--int': integerWidth(batches.flatMap(({ batch }) => batch.totals.map(({ amount }) => amount))).css }}
      rows={batches}
      columns={batchColumns(hasPayBy)}
      keyOf={({ batch }) => batch.id}
    />
  );
}

interface SectionProps {
  title: string;
  count: number;
  isCounted?: boolean;
  none: string;
  children: ReactNode;
}

function Section({ title, count, isCounted = true, none, children }: SectionProps) {
  return (
    <section aria-label={title} className="pb-6" tabIndex={-1} data-takes-focus>
      <h2 className="px-gutter pt-4 pb-2">
        {title} {isCounted && count > 0 && <span className="sub font-normal">{count}</span>}
      </h2>
      {children}
      {count === 0 && <p className="sub px-gutter">{none}</p>}
    </section>
  );
}

interface TableProps<T extends ReceivedApproval | OperationView> {
  label: string;
  rows: readonly T[];
  columns: readonly DataColumn<T>[];
  keyOf: (row: T) => string;
}

function Table<T extends ReceivedApproval | OperationView>({ label, rows, columns, keyOf }: TableProps<T>) {
  const { shown, more } = useShowMore(rows);
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable
        label={label}
        className="grid-table labelled fitted"
        style={{ '--int': integerWidth(rows.map(approvalAmount)).css }}
        rows={shown}
        columns={columns}
        keyOf={keyOf}
      />
      {more && <div className="px-gutter py-2">{more}</div>}
    </>
  );
}
