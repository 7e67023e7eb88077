import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { operationPages } from '#src/web/api/operations/operations.ts';
import { useSession } from '#src/web/api/session.ts';
import { useTeam } from '#src/web/api/team.ts';
import { subjectId } from '#src/shared/contract/teamContract.ts';
import { isMoving, usePacedQuery } from '#src/web/api/operations/useOperations.ts';
import { answerWords } from '#src/shared/operations/attemptWords.ts';
import type { About } from '#src/shared/operations/kind.ts';
import { amountText, KIND, titleOf } from '#src/shared/operations/kinds.ts';
import { knownResultId } from '#src/shared/operations/record.ts';
import { isBeingSent, shortChipOf } from '#src/shared/operations/stateMark.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { paths } from '#src/shared/paths.ts';
import { readChoice } from '#src/shared/searchParams.ts';
import { revealHidden, counted } from '#src/shared/text.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import { Amount, useAmountsHidden, integerWidth } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { PageHeader } from '#src/web/ui/PageHeader.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { Time, ZoneHead } from '#src/web/ui/Time.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { DamagedRecords } from './DamagedRecords.tsx';
import { type Row, type Tab, TABS, useRows } from './useRows.ts';

/** What was sent from here: what needs a person, what is on its way, and all of it, newest first. */
export function Component() {
  const session = useSession();
  return (
    <div className="list-page">
      <PageHeader title="Operations" asOf={<span>Everything sent from here, saved before it was sent</span>} />
      <div className="page-body">
        {session.journal_only && (
          <div className="px-gutter py-4">
            <Notice tone="open" title="The provider doesn’t accept this key any more.">
              You can see and close what was recorded with it.
            </Notice>
          </div>
        )}
        <List />
      </div>
    </div>
  );
}

function List() {
  const { account } = useSession();
  const [params, setParams] = useSearchParams();
  const tab = readChoice(params, 'show', TABS) ?? 'all';
  const options = operationPages(account, {});
  const query = useInfiniteQuery(options);
  const { data, error, refetch, isFetchNextPageError } = query;
  const [first] = data?.pages ?? [];
  const loaded = data?.pages.flatMap((page) => page.data) ?? [];
  usePacedQuery(options.queryKey, loaded.some(isMoving));
  const rows = useRows(loaded);
  const slow = useDelay(!first && !error);
  if (!first) {
    if (error === null) return <div className="pad">{slow && <output>Loading operations</output>}</div>;
    return <LoadError of={query} heading="Couldn’t load operations" />;
  }
  const damaged = first.unreadable.filter(({ closed }) => closed === null).length;
  const needed = rows.action.length + damaged;
  const shown = rows[tab];
  const labels: Record<Tab, string> = {
    action: `Needs action${needed > 0 ? ` (${needed})` : ''}`,
    progress: `In progress${rows.progress.length > 0 ? ` (${rows.progress.length})` : ''}`,
    all: 'All',
  };
  return (
    <>
      {error && !isFetchNextPageError && (
        <StaleBar error={error} readAt={Math.floor(query.dataUpdatedAt / 1000)} onRetry={() => void refetch()} />
      )}
      {first.set_back && <RestoredNotice since={first.set_back_at} loaded={loaded} />}
      <div className="px-gutter py-3">
        <Segmented
          label="Show"
          value={tab}
          options={labels}
          onChange={(value) => setParams(value === 'all' ? {} : { show: value }, { preventScrollReset: true })}
        />
      </div>
      {tab !== 'progress' && <DamagedRecords rows={first.unreadable} />}
      {shown.length > 0 ? <Table rows={shown} /> : <NoRows tab={tab} none={loaded.length === 0} />}
      <End count={loaded.length} tab={tab} query={query} />
    </>
  );
}

interface RestoredNoticeProps {
  /** By the database's clock, milliseconds. */
  since: number | null;
  loaded: readonly OperationView[];
}

/** Newer records are missing, so what was sent since may repeat one of them. */
function RestoredNotice({ since, loaded }: RestoredNoticeProps) {
  const hidden = useAmountsHidden();
  const sent = loaded.filter(({ operation: { firstSent, attempts } }) => {
    return since !== null && firstSent.database >= since && attempts.length > 0;
  });
  return (
    <div className="px-gutter py-4">
      <Notice tone="alarm" live title="The database was restored from an older copy.">
        Newer records are missing here, and what they recorded may have been sent. Check with the provider before you
        pay anything again.
        {sent.length > 0 && (
          <>
            <p className="pt-2">Sent while nobody knew what is missing:</p>
            <ul className="list-disc pl-5">
              {sent.map(({ operation }) => (
                <li key={operation.key}>
                  <Link to={paths.operation(operation.key)}>{titleOf(operation, hidden)}</Link>{' '}
                  <Time unix={operation.firstSent.service} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Notice>
    </div>
  );
}

interface ShownRow extends Row {
  /** "1,250 USDT to Acme Hosting" */
  what: string;
  reference: string;
  about: About;
}

function Table({ rows }: { rows: readonly Row[] }) {
  const hidden = useAmountsHidden();
  const nameOf = usePaymentNames();
  const { data: notes } = useTeam('notes');
  const references = new Map(notes?.items.map(({ id, value }) => [id, value.reference]));
  const shown = rows.map((row): ShownRow => {
    const { operation } = row.view;
    const about = KIND[operation.kind].aboutOf(operation);
    const sent = withdrawalFieldsOf(operation);
    const id = knownResultId(operation);
    const ofPayment = id === null ? undefined : references.get(subjectId({ kind: 'withdrawal', id }));
    return {
      ...row,
      about,
      what: sent
        ? `${amountText(about, hidden)} ${nameOf({ kind: 'withdrawal', id: '', ...sent })}`
        : titleOf(operation, hidden),
      reference: ofPayment ?? references.get(subjectId({ kind: 'operation', id: operation.key })) ?? '',
    };
  });
  return (
    <DataTable
      label="Operations"
      className="grid-table labelled fitted"
      style={{ '--int': integerWidth(shown.map(({ about }) => about.amount)).css }}
      rows={shown}
      columns={columns}
      keyOf={({ view }) => view.operation.key}
    />
  );
}

/** An empty cell has no label in a narrow window. */
const text = (words: string) => words !== '' && <bdi translate="no">{revealHidden(words)}</bdi>;

const columns: DataColumn<ShownRow>[] = [
  {
    name: 'Time',
    head: <ZoneHead word="Time" />,
    cell: ({ view }) => <Time unix={view.operation.firstSent.service} />,
  },
  {
    name: 'Operation',
    isHead: true,
    cell: ({ view, what }) => (
      <Link to={paths.operation(view.operation.key)}>
        <bdi translate="no">{what}</bdi>
      </Link>
    ),
  },
  { name: 'Status', className: 'whitespace-normal', cell: (row) => <Status {...row} /> },
  { name: 'By', cell: ({ view }) => text(view.operation.who ?? '') },
  { name: 'Reference', className: 'min-w-24 whitespace-normal wrap-anywhere', cell: (row) => text(row.reference) },
  {
    name: 'Amount',
    className: 'cash',
    cell: ({ about }) => about.amount !== null && <Amount value={about.amount} asset={about.asset ?? undefined} />,
  },
];

/** The payment's own status once it is known; while nobody knows, what came back last. */
function Status({ view, payment }: Row) {
  const { operation: record, checkOnly } = view;
  const last = record.state === 'unconfirmed' ? record.attempts.at(-1) : undefined;
  return (
    <>
      <StateChip mark={shortChipOf(record, isBeingSent(view), payment)} big={false} />
      {last && <span className="dim small"> {answerWords(record, last)}</span>}
      {checkOnly && <span className="dim small"> another API key, check only</span>}
    </>
  );
}

function End({ count, tab, query }: { count: number; tab: Tab; query: UseInfiniteQueryResult }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  if (count === 0) return null;
  const loaded = counted(count, 'operation', 'operations');
  const searched =
    tab === 'all' ? loaded : `Searched: everything unresolved, and ${hasNextPage ? 'the newest ' : 'all '}${loaded}`;
  return (
    <div className="acts-row small sub px-gutter py-4">
      <output>
        {isFetchNextPageError ? 'Couldn’t load more. ' : ''}
        {hasNextPage
          ? `${searched}${tab === 'all' ? ' loaded' : ''}.`
          : tab === 'all'
            ? `End of list · ${loaded}. Nothing recorded is ever deleted.`
            : `${searched}.`}
      </output>
      {hasNextPage && (
        <Button disabledReason={isFetchingNextPage ? 'Loading' : undefined} onClick={() => void fetchNextPage()}>
          {isFetchNextPageError ? 'Retry' : 'Load more'}
        </Button>
      )}
    </div>
  );
}

function NoRows({ tab, none }: { tab: Tab; none: boolean }) {
  if (none) {
    return (
      <div className="blank">
        <h2>No operations yet</h2>
        <p>
          Every withdrawal, deposit address, charge and webhook replay sent from here is recorded first, with each
          attempt and its response. What was made elsewhere isn’t in this list.
        </p>
      </div>
    );
  }
  return (
    <div className="blank">
      <h2>{tab === 'action' ? 'Nothing needs action' : 'Nothing in progress'}</h2>
    </div>
  );
}
