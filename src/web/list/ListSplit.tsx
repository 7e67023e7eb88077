import { type ReactNode, useEffect, useRef } from 'react';
import { Outlet } from 'react-router';
import type { ListQueries } from '#src/web/api/paging/createListQueries.ts';
import { totalWords } from '#src/shared/text.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { LoadError } from './ErrorNotice.tsx';
import { Skeleton, StillLoading } from './StillLoading.tsx';
import { deferred, useDelay, useLoaded } from '#src/web/ui/useLoaded.ts';
import type { ListRow } from './fields.tsx';
import { hasPageOnlyFilter } from './filters/filterTable.ts';
import type { PageFilters } from './filters/filterProps.ts';
import type { FilterState } from './filters/useFilters.ts';
import { InfiniteTable, type InfiniteTableProps } from './rows/InfiniteTable.tsx';
import type { ListTotalsProps } from './ListTotals.tsx';
import { PrevNextContext } from './prevNext.ts';
import { scopeWords } from './scopeWords.ts';
import type { List } from './useList.ts';

interface ListSplitProps<T extends ListRow> extends Pick<
  InfiniteTableProps<T>,
  'label' | 'columns' | 'layout' | 'extras' | 'order'
> {
  list: List<T>;
  state: FilterState<PageFilters>;
  api: Pick<ListQueries<T>, 'name'>;
  amountOf: (row: T) => unknown;
  /** The amount in its widest form. */
  widestOf: (row: T) => unknown;
  failed: string;
  empty: ReactNode;
  /** How to get the first row of an empty list. */
  start: ReactNode;
  above?: ReactNode;
  notOffered?: ReactNode;
}

export function ListSplit<T extends ListRow>({ list, above, ...props }: ListSplitProps<T>) {
  const { openId, steps, query } = list;
  return (
    <div className="list-split">
      <div className="list-place">
        {/* Stays, with the focus, while other filters load. Not shown with a failed list, as it would fail, too. */}
        {(query.data !== undefined || !query.isError) && above}
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
  const { list, state, api, amountOf, widestOf, failed, empty, start, notOffered, ...table } = props;
  const { noun, query, queryKey, index, end, newRows } = list;
  const { filters } = state;
  const isWhole = end?.kind === 'end';
  const isEmpty = index.count === 0 && index.malformed === 0 && isWhole;
  const listKey = stringifyExact([queryKey, filters]);
  const found = isEmpty ? `No ${noun.many} match` : totalWords(index.count, noun, isWhole);
  const scope = scopeWords({ sort: list.sort, local: false, loaded: list.loaded, isWhole });
  useAnnounced(listKey, query.data && [found, scope].filter(Boolean).join(', '));
  if (query.isPending) return <ListSkeleton noun={noun} />;
  if (notOffered) return notOffered;
  if (query.data === undefined || isEmpty) {
    return (
      <div className="page-body">
        {isEmpty ? (
          <EmptyList noun={noun} state={state} resource={api.name} countOf={list.countOf} start={start}>
            {empty}
          </EmptyList>
        ) : (
          <LoadError of={query} heading={failed} />
        )}
      </div>
    );
  }
  return (
    <>
      <InfiniteTable
        key={listKey}
        {...list}
        {...table}
        index={list.view}
        amountOf={widestOf}
        // Only the list's own order shows which pages the rows in sight came from.
        onSight={list.sort === undefined ? newRows.onSight : NOT_WATCHED}
      />
      <Totals
        key={`totals ${listKey}`}
        {...list}
        local={hasPageOnlyFilter(filters, state.table)}
        bounded={filters.created_after !== undefined}
        hasNews={newRows.count.added > 0}
        amountOf={amountOf}
      />
    </>
  );
}

const NOT_WATCHED = () => undefined;

/** Announces the result once after the filters changed; not for the list that the page opened with. */
function useAnnounced(listKey: string, words: string | undefined): void {
  const announcedKey = useRef(listKey);
  useEffect(() => {
    if (words === undefined || announcedKey.current === listKey) return;
    announcedKey.current = listKey;
    announce(words);
  }, [listKey, words]);
}

const loadTotals = () => import('./ListTotals.tsx');

/** The totals load after the rows; their space is reserved. */
function Totals<T extends ListRow>(props: ListTotalsProps<T>) {
  const { value } = useLoaded(loadTotals);
  return value ? <value.ListTotals {...props} /> : <div className="list-total" />;
}

const EmptyList = deferred(() => import('./EmptyList.tsx').then((read) => read.EmptyList));

const SKELETON =
  'grid h-(--row) grid-cols-[11.5rem_9.75rem_minmax(0,1fr)] items-center gap-2.5 border-b border-rule px-gutter narrow:h-15 narrow:*:max-w-full narrow:grid-cols-[minmax(0,1fr)_5rem] narrow:[&>:first-child]:hidden';
const rows = [7, 9, 6, 11, 7, 8, 9, 6, 10, 7, 9, 8].map((width, at) => ({ at, amount: `${width}rem` }));

/** Placeholder for the first load, visible only if loading takes long enough to notice. */
function ListSkeleton({ noun }: { noun: { many: string } }) {
  const visibly = useDelay(true);
  const slow = useDelay(true, 2_000);
  return (
    <div className="list-scroll" aria-busy>
      <output className={slow ? 'list-foot' : 'vh'}>
        <StillLoading what={noun.many}>{visibly && `Loading ${noun.many}…`}</StillLoading>
      </output>
      {visibly && (
        <div aria-hidden>
          <div className={`list-head-row ${SKELETON}`} />
          {rows.map(({ at, amount }) => (
            <div key={at} className={SKELETON}>
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
