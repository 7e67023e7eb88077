import { POLLED } from '#src/web/api/polled.ts';
import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { authorName } from '#src/shared/author.ts';
import type { BatchedOperations, BatchSummary } from '#src/shared/contract/batchContract.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { subjectId, subjectsMarked } from '#src/shared/contract/teamContract.ts';
import { answerWords } from '#src/shared/operations/attemptWords.ts';
import type { About } from '#src/shared/operations/kind.ts';
import { amountText, KIND, titleOf } from '#src/shared/operations/kinds.ts';
import { knownResultId, withdrawalIdOf } from '#src/shared/operations/record.ts';
import { isBeingSent, missingApprovals, shortStateMarkOf } from '#src/shared/operations/stateMark.ts';
import { unsettledOf } from '#src/shared/operations/unsettled.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, revealHidden } from '#src/shared/text.ts';
import { useApprovals } from '#src/web/api/approvals.ts';
import { isMovingBatch, pausedBatchesQuery } from '#src/web/api/batches.ts';
import { batchedOperationPages, operationPages } from '#src/web/api/operations/operations.ts';
import { areMoving, isMoving, paceOf, useOpenOperations } from '#src/web/api/operations/useOperations.ts';
import { useSession } from '#src/web/api/session.ts';
import { useTeam } from '#src/web/api/team.ts';
import { useWithdrawalStatuses } from '#src/web/api/withdrawalStatuses.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { Amount, integerWidth, useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { Time, ZoneHead } from '#src/web/ui/Time.tsx';
import { BatchLink, BatchStateAndProgress, BatchTotals } from './batches.tsx';
import { DamagedRecords, RefusedKeyNotice, RestoredNotice } from './operationNotices.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';
import { SetBackPaymentsNotice } from './SetBackPayments.tsx';

type Tab = 'action' | 'approval' | 'progress' | 'all';

interface OperationRow {
  view: OperationView;
  /** The current status of an accepted withdrawal; undefined until it is loaded. */
  payment: string | null | undefined;
  /** "1,250 USDT to Acme Hosting" */
  title: string;
  reference: string;
  about: About;
}
/** In the tab of all operations, a batch is one row instead of its payments. */
type ListRow = OperationRow | { batch: BatchSummary };

const columns: DataColumn<ListRow>[] = [
  {
    name: 'Time',
    head: <ZoneHead word="Time" />,
    cell: (row) => (
      <Time unix={'batch' in row ? Math.floor(row.batch.at / 1_000) : row.view.operation.firstSent.service} />
    ),
  },
  {
    name: 'Operation',
    isHead: true,
    cell: (row) =>
      'batch' in row ? (
        <BatchLink batch={row.batch} />
      ) : (
        <Link to={pageOf(row)}>
          <bdi translate="no">{row.title}</bdi>
        </Link>
      ),
  },
  {
    name: 'Status',
    className: 'whitespace-normal',
    cell: (row) => ('batch' in row ? <BatchStateAndProgress batch={row.batch} /> : <Status {...row} />),
  },
  { name: 'By', cell: (row) => textCell(authorName('batch' in row ? row.batch : row.view.operation)) },
  {
    name: 'Reference',
    className: 'min-w-24 whitespace-normal wrap-anywhere',
    cell: (row) => !('batch' in row) && textCell(row.reference),
  },
  {
    name: 'Amount',
    className: 'cash',
    cell: (row) =>
      'batch' in row ? (
        <BatchTotals batch={row.batch} />
      ) : (
        row.about.amount !== null && <Amount value={row.about.amount} asset={row.about.asset ?? undefined} />
      ),
  },
];

/** The page to open: an accepted withdrawal's, if it can be read and didn't fail; else the operation's, which says what to do. */
function pageOf({ view: { operation }, payment }: OperationRow): string {
  const id = withdrawalIdOf(operation);
  const isReadable = operation.state === 'succeeded' && typeof payment === 'string' && toneOf(payment) !== 'alarm';
  return id !== null && isReadable ? paths.withdrawal(id) : paths.operation(operation.key);
}

/** Everything sent from here: operations that need a person, those in progress, and all of them, newest first. */
export const operations = {
  title: 'Operations',
  path: paths.operations,
  noun: { one: 'operation', many: 'operations' },
  label: 'Operations',
  tableClass: 'grid-table labelled fitted',
  keyOf: (row) => ('batch' in row ? row.batch.id : row.view.operation.key),
  tabs: {
    usual: 'all',
    none: {
      action: 'Nothing needs action',
      approval: 'Nothing waits for approval',
      progress: 'Nothing in progress',
      all: 'No operations yet',
    },
  },
  Empty,
} satisfies OwnList<ListRow, object, Tab>;

function Empty() {
  return (
    <EmptyState
      title="No operations yet"
      action={
        <ActionLink ability="prepare" to={paths.newWithdrawal}>
          New withdrawal
        </ActionLink>
      }
    >
      Every withdrawal, deposit address, charge and webhook replay sent from here is recorded first, with each attempt
      and its response. What was made elsewhere isn’t in this list.
    </EmptyState>
  );
}

export function useOperationRows({ tab = 'all' }: { tab: Tab | undefined }): OwnListRows<ListRow, Tab> {
  const { account, person, rights } = useSession();
  const batched = useInfiniteQuery({
    ...batchedOperationPages(account),
    ...POLLED,
    refetchInterval: ({ state }) => paceOf(state.data?.pages.some(({ data }) => data.some(isMovingRow)) ?? false),
  });
  // The other tabs list the payments of batches one by one.
  const single = useInfiniteQuery({
    ...operationPages(account, {}),
    ...POLLED,
    refetchInterval: ({ state }) => paceOf(areMoving(state.data)),
  });
  const query = tab === 'all' ? batched : single;
  const all = batched.data?.pages.flatMap((page) => page.data) ?? NO_ROWS;
  const loaded = single.data?.pages.flatMap((page) => page.data) ?? [];
  const rows = useTabs(loaded, all);
  const visible = useTitles(rows[tab]);
  const [first] = single.data?.pages ?? [];
  const unreadable = new Map(
    [...(batched.data?.pages[0]?.unreadable ?? []), ...(first?.unreadable ?? [])].map((each) => [each.key, each]),
  );
  const damaged = [...unreadable.values()].filter(({ closed }) => closed === null).length;
  const needed = rows.action.length + damaged;
  return {
    rows: query.data && visible,
    query,
    isEmpty: batched.data !== undefined && all.length === 0,
    columns,
    tableStyle: { '--int': integerWidth(visible.flatMap(amountsOf)).css },
    tabLabels: {
      action: `Needs action${needed > 0 ? ` (${needed})` : ''}`,
      // Only if people approve payments, that is, sign in as themselves.
      ...(person !== null && {
        approval: `Waiting for approval${rows.approval.length > 0 ? ` (${rows.approval.length})` : ''}`,
      }),
      progress: `In progress${rows.progress.length > 0 ? ` (${rows.progress.length})` : ''}`,
      all: 'All',
    },
    asOf: 'Everything sent from here, saved before it was sent',
    above: (
      <>
        {rights.keyRefused && <RefusedKeyNotice />}
        {first?.set_back && <RestoredNotice since={first.set_back_at} loaded={loaded} />}
        <SetBackPaymentsNotice />
      </>
    ),
    notices: query.data && tab !== 'progress' && <DamagedRecords rows={[...unreadable.values()]} />,
    foot:
      tab === 'all'
        ? footOfAll(all, batched.hasNextPage)
        : tab === 'approval'
          ? 'The first to expire comes first.'
          : footOfPart(loaded.length, single.hasNextPage),
  };
}

type BatchedRow = BatchedOperations['data'][number];
const NO_ROWS: readonly BatchedRow[] = [];

function isMovingRow(row: BatchedRow): boolean {
  return 'batch' in row ? isMovingBatch(row.batch) : isMoving(row);
}

function amountsOf(row: ListRow): (string | null)[] {
  return 'batch' in row ? row.batch.totals.map(({ amount }) => amount) : [row.about.amount];
}

type StatusRow = Pick<OperationRow, 'view' | 'payment'>;
type TabRow = StatusRow | { batch: BatchSummary };

/** The rows of each tab. The tab of all operations has the loaded ones; the others have every unresolved one, however old. */
function useTabs(loaded: readonly OperationView[], all: readonly BatchedRow[]): Record<Tab, TabRow[]> {
  const open = useOpenOperations();
  const paused = useQuery(pausedBatchesQuery(useSession().account)).data ?? [];
  const handled = subjectsMarked(useTeam('marks').data?.items ?? [], 'handled');
  const views = new Map([...loaded, ...open.views].map((view) => [view.operation.key, view]));
  const listed = all.flatMap((row) => ('batch' in row ? [] : row));
  const statusOf = useWithdrawalStatuses([...views.values(), ...listed].map(({ operation }) => operation));
  const waiting = new Set(unsettledOf({ views: [...views.values()], unreadable: [] }).map(({ key }) => key));
  const rows = [...views.values()].map((view) => ({ view, payment: statusOf(view.operation) }));
  const isFailed = ({ view: { operation }, payment }: StatusRow): boolean =>
    operation.state === 'succeeded' &&
    shortStateMarkOf(operation, { payment }).tone === 'alarm' &&
    !handled.has(subjectId({ kind: 'withdrawal', id: knownResultId(operation) ?? '' }));
  const isInProgress = ({ view, payment }: StatusRow): boolean =>
    isBeingSent(view) || shortStateMarkOf(view.operation, { payment }).tone === 'motion';
  const waitForApproval = (useApprovals().data?.waiting ?? []).map(({ view }) => view);
  const isApproved = ({ operation, approved }: OperationView) => missingApprovals(operation, approved.length) === 0;
  const running = all.filter((row) => 'batch' in row && row.batch.state === 'running');
  return {
    action: [
      ...paused.map((batch) => ({ batch })),
      ...rows.filter((row) => waiting.has(row.view.operation.key) || isFailed(row)),
      ...waitForApproval.filter(isApproved).map((view) => ({ view, payment: undefined })),
    ],
    approval: waitForApproval.filter((view) => !isApproved(view)).map((view) => ({ view, payment: undefined })),
    progress: [
      ...running.flatMap((row) => ('batch' in row ? row : [])),
      ...rows.filter((row) => !waiting.has(row.view.operation.key) && isInProgress(row)),
    ],
    all: all.map((row) => ('batch' in row ? row : { view: row, payment: statusOf(row.operation) })),
  };
}

/** The rows with the team's names for them: the recipient’s name and the payment’s reference. */
function useTitles(rows: readonly TabRow[]): ListRow[] {
  const hidden = useAmountsHidden();
  const nameOf = usePaymentNames();
  const { data: notes } = useTeam('notes');
  const references = new Map(notes?.items.map(({ id, value }) => [id, value.reference]));
  return rows.map((row) => {
    if ('batch' in row) return row;
    const { operation } = row.view;
    const about = KIND[operation.kind].aboutOf(operation);
    const sent = withdrawalFieldsOf(operation);
    const id = knownResultId(operation);
    const ofPayment = id === null ? undefined : references.get(subjectId({ kind: 'withdrawal', id }));
    const ofOperation = references.get(subjectId({ kind: 'operation', id: operation.key }));
    return {
      ...row,
      about,
      title: sent
        ? `${amountText(about, hidden)} ${nameOf({ kind: 'withdrawal', id: '', ...sent })}`
        : titleOf(operation, hidden),
      reference: ofPayment ?? ofOperation ?? operation.batch?.reference ?? '',
    };
  });
}

function footOfPart(count: number, hasMore: boolean): string {
  return `Searched: everything unresolved, and ${hasMore ? 'the newest ' : 'all '}${counted(count, 'operation', 'operations')}.`;
}

function footOfAll(rows: readonly BatchedRow[], hasMore: boolean): string {
  const batches = rows.filter((row) => 'batch' in row).length;
  const loaded = [
    counted(rows.length - batches, 'operation', 'operations'),
    ...(batches > 0 ? [counted(batches, 'batch', 'batches')] : []),
  ].join(' and ');
  return hasMore ? `${loaded} loaded.` : `End of list · ${loaded}. Nothing recorded is ever deleted.`;
}

/** False for empty text, because an empty cell has no label in a narrow window. */
function textCell(words: string) {
  return words !== '' && <bdi translate="no">{revealHidden(words)}</bdi>;
}

/** The payment’s own status once it is loaded. For an unconfirmed operation, the last response, too. */
function Status({ view, payment }: StatusRow) {
  const { operation: record, checkOnly } = view;
  const last = record.state === 'unconfirmed' ? record.attempts.at(-1) : undefined;
  return (
    <>
      <StateChip
        mark={shortStateMarkOf(record, { beingSent: isBeingSent(view), payment, approvals: view.approved.length })}
        big={false}
      />
      {last && <span className="dim small"> {answerWords(record, last)}</span>}
      {record.batch && (
        <Link className="small block" to={paths.batch(record.batch.id)}>
          Line {record.batch.line} of a batch
        </Link>
      )}
      {checkOnly && <span className="dim small"> another API key, check only</span>}
    </>
  );
}
