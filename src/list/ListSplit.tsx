import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import type { ListFilters } from '#src/api/contract.ts';
import { describeError } from '#src/api/errors.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { visible } from '#src/lib/text.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import type { Layout } from './columnFit.ts';
import type { ListColumn, ListRow } from './fields.tsx';
import { InfiniteTable } from './InfiniteTable.tsx';
import { PrevNextContext } from './prevNext.ts';
import type { FilterState } from './filters/useFilters.ts';
import type { List } from './useList.ts';
import type { Noun } from '#src/lib/count.ts';
import { Button } from '#src/ui/Button.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { describeFilters, type Hints, narrowing } from './filters/filterTable.ts';
import { nearestWord } from './filters/matchWords.ts';
import { Skeleton } from '#src/ui/Skeleton.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import './list.css';

interface ListSplitProps<T extends ListRow> {
  /** Names the table: "Deposits". */
  label: string;
  list: List<T>;
  state: FilterState<ListFilters>;
  hints: Hints;
  columns: readonly ListColumn<T>[];
  layout: Layout;
  amountOf: (row: T) => unknown;
  /** What is said when the first page fails: "The deposits could not be read". */
  failed: string;
  /** What would fill an empty list. */
  empty: ReactNode;
  /** In place of all that, where the service has no such list. */
  notOffered?: ReactNode;
}

/** The list as it is loading, empty, failed or read, and beside it the detail of the row that is open. */
export function ListSplit<T extends ListRow>({ list, ...props }: ListSplitProps<T>) {
  const { openId, steps } = list;
  return (
    <div className="list-split">
      <div className="list-place">
        <Rows list={list} {...props} />
      </div>
      {openId !== undefined && (
        <div className="list-detail">
          <PrevNextContext value={steps}>
            <Outlet />
          </PrevNextContext>
        </div>
      )}
    </div>
  );
}

function Rows<T extends ListRow>(props: ListSplitProps<T>) {
  const { label, list, state, hints, columns, layout, amountOf, failed, empty, notOffered } = props;
  const { noun, query, queryKey, since, index, end, hrefOf, openId, entry, fresh } = list;
  if (query.isPending) return <ListSkeleton noun={noun} />;
  if (notOffered) return notOffered;
  if (query.data === undefined) {
    return (
      <div className="page-body">
        <ErrorNotice
          error={describeError(query.error)}
          heading={failed}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      </div>
    );
  }
  if (index.count === 0 && index.malformed === 0 && end?.kind === 'end') {
    return (
      <EmptyList noun={noun} state={state} hints={hints}>
        {empty}
      </EmptyList>
    );
  }
  return (
    <InfiniteTable
      key={stringifyExact(queryKey)}
      label={label}
      index={index}
      end={end}
      since={since ?? 0}
      query={query}
      columns={columns}
      layout={layout}
      amountOf={amountOf}
      hrefOf={hrefOf}
      openId={openId}
      entry={entry}
      onSight={fresh.onSight}
    />
  );
}

interface EmptyListProps {
  noun: Noun;
  state: FilterState<ListFilters>;
  hints: Hints;
  /** What would fill a list without filters. */
  children: ReactNode;
}

/** A list that was read to its end and has no row: for want of rows, or because of the filters. */
export function EmptyList({ noun, state: { table, filters, change }, hints, children }: EmptyListProps) {
  const zone = useZone();
  const set = narrowing(filters, table);
  if (set.length === 0) {
    return (
      <div className="page-body">
        <div className="blank">
          <h2>No {noun.many} yet</h2>
          <p>{children}</p>
        </div>
      </div>
    );
  }
  return (
    <div className="page-body">
      <div className="blank">
        <h2>No {noun.one} fits these filters</h2>
        <p>
          Read to the end: <bdi>{describeFilters(filters, table, zone)}</bdi>.
        </p>
        <div className="acts-row">
          {set.map((name) => {
            const value = filters[name];
            const near = typeof value === 'string' ? nearestWord(table[name]?.known?.(hints) ?? [], value) : null;
            return (
              near !== null && (
                <Button key={name} variant="primary" onClick={() => change({ [name]: near })}>
                  Did you mean {visible(near)}?
                </Button>
              )
            );
          })}
          {filters.status !== undefined && <Button onClick={() => change({ status: undefined })}>Clear status</Button>}
          <Button variant="quiet" onClick={() => change(Object.fromEntries(set.map((name) => [name, undefined])))}>
            Clear all filters
          </Button>
        </div>
      </div>
    </div>
  );
}

const rows = [7, 9, 6, 11, 7, 8, 9, 6, 10, 7, 9, 8].map((width, at) => ({ at, amount: `${width}rem` }));

/** The shape of a list that is being read for the first time, and only if that takes long enough to notice. */
export function ListSkeleton({ noun }: { noun: { many: string } }) {
  const slow = useDelay(true);
  return (
    <div className="list-scroll" aria-busy>
      <output className="vh">{slow && `Reading the ${noun.many}`}</output>
      {slow && (
        <div aria-hidden>
          <div className="list-head-row skeleton-row" />
          {rows.map(({ at, amount }) => (
            <div key={at} className="skeleton-row">
              <Skeleton width="7rem" />
              <Skeleton width="5rem" />
              <Skeleton width={amount} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
