import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { operationPages } from '#src/api/operations.ts';
import { useSession } from '#src/api/session.ts';
import { isMoving, usePacedQuery } from '#src/api/useOperations.ts';
import { KINDS } from '#src/lib/operations/kind.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { shortChipOf } from '#src/lib/operations/stateMark.ts';
import { visible } from '#src/lib/text.ts';
import { ChoiceFilter } from '#src/list/ChoiceFilter.tsx';
import '#src/list/list.css';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { type OperationFilters, STATES, readOperationFilters, withFilter } from './operationFilters.ts';
import './operations-list.css';
import './operations.css';
import { OperationsTable } from './OperationsTable.tsx';
import { DamagedRecords } from './DamagedRecords.tsx';

const states = STATES.map((state) => ({ value: state, label: shortChipOf({ state }).chip }));
const kinds = KINDS.map((kind) => ({ value: kind, label: KIND[kind].one }));

/** Every operation of this account, newest first. */
export function Component() {
  const session = useSession();
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const { ignored, ...filters } = readOperationFilters(params);
  const choose = (changes: Partial<OperationFilters>) =>
    void navigate({ search: withFilter(params, changes) }, { preventScrollReset: true });
  return (
    <div className="list-page">
      <PageHeader title="Operations" asOf={<span>Recorded for this account, newest first</span>} />
      <div className="filters operations-filters" role="search" aria-label="Filters">
        <ChoiceFilter label="State" value={filters.state} choices={states} onChange={(state) => choose({ state })} />
        <ChoiceFilter label="Kind" value={filters.kind} choices={kinds} onChange={(kind) => choose({ kind })} />
      </div>
      {ignored.length > 0 && (
        <p className="filters-ignored" role="status">
          Ignored in the link: <bdi>{visible(ignored.join(', '))}</bdi>
        </p>
      )}
      <div className="page-body operations-body">
        {session?.journal_only && (
          <div className="pad-notice">
            <Notice tone="open" title="The provider doesn’t accept this key any more.">
              You can see and close what was recorded with it.
            </Notice>
          </div>
        )}
        <List filters={filters} onClear={() => choose({ state: undefined, kind: undefined })} />
      </div>
    </div>
  );
}

function List({ filters, onClear }: { filters: OperationFilters; onClear: () => void }) {
  const session = useSession();
  const options = operationPages(session?.account ?? '', filters);
  const query = useInfiniteQuery({ ...options, enabled: session !== null });
  const { data, error, refetch, isFetching, isFetchNextPageError } = query;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  usePacedQuery(options.queryKey, rows.some(isMoving), session !== null);
  const slow = useDelay(!data && !error);
  const [first] = data?.pages ?? [];
  if (!first) {
    if (error === null) return <div className="pad">{slow && <output>Loading operations</output>}</div>;
    return (
      <ErrorNotice
        error={describeError(error)}
        heading="Operations could not be loaded"
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  return (
    <>
      {error && !isFetchNextPageError && (
        <StaleBar error={error} readAt={Math.floor(query.dataUpdatedAt / 1000)} onReadAgain={() => void refetch()} />
      )}
      {first.set_back && <SetBack />}
      <DamagedRecords rows={first.unreadable} />
      {rows.length > 0 ? (
        <>
          <OperationsTable rows={rows} />
          <End count={rows.length} query={query} />
        </>
      ) : (
        <NoRows filtered={filters.state !== undefined || filters.kind !== undefined} onClear={onClear} />
      )}
    </>
  );
}

function SetBack() {
  return (
    <div className="pad-notice">
      <Notice tone="alarm" live="status" title="The journal was set back.">
        What was recorded in between is not in this list, and may have been sent. Check with the provider before you pay
        anything again.
      </Notice>
    </div>
  );
}

interface EndProps {
  count: number;
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
}

function End({ count, query: { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } }: EndProps) {
  const loaded = count === 1 ? 'One operation' : `${count} operations`;
  return (
    <div className="operations-end small sub">
      <output>
        {isFetchNextPageError ? 'Couldn’t load more. ' : ''}
        {hasNextPage ? `${loaded} loaded.` : `End of list · ${loaded.toLowerCase()}. Nothing recorded is ever deleted.`}
      </output>
      {hasNextPage && (
        <Button disabledReason={isFetchingNextPage ? 'Loading' : undefined} onClick={() => void fetchNextPage()}>
          {isFetchNextPageError ? 'Retry' : 'Load more'}
        </Button>
      )}
    </div>
  );
}

function NoRows({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <div className="blank">
        <h2>No operation fits these filters</h2>
        <Button onClick={onClear}>Clear all filters</Button>
      </div>
    );
  }
  return (
    <div className="blank">
      <h2>No operations yet</h2>
      <p>
        Every withdrawal, deposit address, charge and webhook replay that is sent from here is recorded first, with each
        attempt and its response. What was made elsewhere is not in this list.
      </p>
    </div>
  );
}
