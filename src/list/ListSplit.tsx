import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import type { ListFilters } from '#src/api/contract.ts';
import { describeError } from '#src/api/errors.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import type { Layout } from './columnFit.ts';
import type { ListColumn, ListRow } from './fields.tsx';
import { EmptyList } from './EmptyList.tsx';
import { InfiniteTable } from './InfiniteTable.tsx';
import { ListSkeleton } from './ListSkeleton.tsx';
import { StepsContext } from './steps.ts';
import type { FilterState } from './useFilters.ts';
import type { List } from './useList.ts';

interface ListSplitProps<T extends ListRow> {
  /** Names the table: "Deposits". */
  label: string;
  list: List<T>;
  state: FilterState<ListFilters>;
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
          <StepsContext value={steps}>
            <Outlet />
          </StepsContext>
        </div>
      )}
    </div>
  );
}

function Rows<T extends ListRow>(props: ListSplitProps<T>) {
  const { label, list, state, columns, layout, amountOf, failed, empty, notOffered } = props;
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
      <EmptyList noun={noun} state={state}>
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
