import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Outlet } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { pauseEnds } from '#src/api/rateLimitPause.ts';
import { type Noun, numberWords } from '#src/lib/count.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { visible } from '#src/lib/text.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { useReturnFocus } from '#src/ui/focus.ts';
import { Skeleton } from '#src/ui/Skeleton.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { useNow } from '#src/ui/useNow.ts';
import { useZone } from '#src/ui/Time.tsx';
import type { Layout } from './columnFit.ts';
import type { ListColumn, ListRow } from './fields.tsx';
import { describeFilters, type Hints, isLocal, narrowing } from './filters/filterTable.ts';
import type { PageFilters } from './filters/listFilters.tsx';
import { nearestWord } from './filters/matchWords.ts';
import type { FilterState } from './filters/useFilters.ts';
import { InfiniteTable } from './InfiniteTable.tsx';
import './list.css';
import { ListTotals, totalWords } from './ListTotals.tsx';
import { PrevNextContext } from './prevNext.ts';
import type { List } from './useList.ts';

interface ListSplitProps<T extends ListRow> {
  /** Names the table: "Deposits". */
  label: string;
  list: List<T>;
  state: FilterState<PageFilters>;
  hints: Hints;
  columns: readonly ListColumn<T>[];
  layout: Layout;
  amountOf: (row: T) => unknown;
  /** As wide as the amount can be drawn. */
  widestOf: (row: T) => unknown;
  /** What is said when the first page fails: "Couldn’t load the deposits". */
  failed: string;
  /** What would fill an empty list. */
  empty: ReactNode;
  /** Stands above the rows. */
  above?: ReactNode;
  /** In place of all that, where the service has no such list. */
  notOffered?: ReactNode;
}

/** The list as it is loading, empty, failed or loaded, and beside it the detail of the row that is open. */
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
  const { label, list, state, hints, columns, layout, amountOf, widestOf, failed, empty, above, notOffered } = props;
  const { noun, query, queryKey, index, loaded, end, hrefOf, openId, entry, fresh } = list;
  const { filters, table } = state;
  const isWhole = end?.kind === 'end';
  const isEmpty = index.count === 0 && index.malformed === 0 && isWhole;
  const of = stringifyExact([queryKey, filters]);
  useAnnounced(of, query.data && (isEmpty ? `No ${noun.many} match` : totalWords(index.count, noun, isWhole)));
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
  if (isEmpty) {
    return (
      <EmptyList noun={noun} state={state} hints={hints} countOf={list.countOf}>
        {empty}
      </EmptyList>
    );
  }
  return (
    <>
      {above}
      <InfiniteTable
        key={of}
        label={label}
        noun={noun}
        index={index}
        end={end}
        query={query}
        columns={columns}
        layout={layout}
        amountOf={widestOf}
        hrefOf={hrefOf}
        openId={openId}
        entry={entry}
        onSight={fresh.onSight}
      />
      <ListTotals
        key={`totals ${of}`}
        noun={noun}
        index={index}
        loaded={loaded}
        local={isLocal(filters, table)}
        bounded={filters.created_after !== undefined}
        end={end}
        query={query}
        amountOf={amountOf}
      />
    </>
  );
}

/** Says what other filters brought, once; not of the list that the page opened with. */
function useAnnounced(of: string, words: string | undefined): void {
  const said = useRef(of);
  useEffect(() => {
    if (words === undefined || said.current === of) return;
    said.current = of;
    announce(words);
  }, [of, words]);
}

interface EmptyListProps {
  noun: Noun;
  state: FilterState<PageFilters>;
  hints: Hints;
  /** How many rows other filters would bring, as far as one page shows. */
  countOf: List<ListRow>['countOf'];
  /** What would fill a list without filters. */
  children: ReactNode;
}

/** A list that was loaded to its end and has no row: for want of rows, or because of the filters. */
function EmptyList({ noun, state: { table, filters, change }, hints, countOf, children }: EmptyListProps) {
  const zone = useZone();
  const place = useRef<HTMLDivElement>(null);
  useReturnFocus(place);
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
    <div className="page-body" ref={place}>
      <div className="blank">
        <h2>No {noun.many} match</h2>
        <p>
          <bdi>{describeFilters(filters, table, zone)}</bdi>
        </p>
        <div className="acts-row">
          {set.map((name) => {
            const value = filters[name];
            const near = typeof value === 'string' ? nearestWord(table[name]?.known?.(hints) ?? [], value) : null;
            if (near === null) return null;
            const changed = { ...filters, [name]: near };
            return <Meant key={name} word={near} query={countOf(changed)} onTake={() => change({ [name]: near })} />;
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

interface MeantProps {
  word: string;
  query: ReturnType<List<ListRow>['countOf']>;
  onTake: () => void;
}

/** "Did you mean USDT (128)?" */
function Meant({ word, query, onTake }: MeantProps) {
  const { data } = useQuery(query);
  return (
    <Button variant="primary" onClick={onTake}>
      Did you mean {visible(word)}
      {data && ` (${numberWords(data.rows)}${data.more ? ' or more' : ''})`}?
    </Button>
  );
}

const rows = [7, 9, 6, 11, 7, 8, 9, 6, 10, 7, 9, 8].map((width, at) => ({ at, amount: `${width}rem` }));

/** The shape of a list that is loaded for the first time, and only if that takes long enough to notice. */
function ListSkeleton({ noun }: { noun: { many: string } }) {
  const visibly = useDelay(true);
  const slow = useDelay(true, 2_000);
  return (
    <div className="list-scroll" aria-busy>
      <output className={slow ? 'list-foot' : 'vh'}>
        {slow ? <Waiting noun={noun} /> : visibly && `Loading ${noun.many}…`}
      </output>
      {visibly && (
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

/** Why it takes long, as far as that is known; its seconds are not announced one by one. */
function Waiting({ noun }: { noun: { many: string } }) {
  const left = Math.ceil(pauseEnds() / 1000) - useNow(1);
  if (left <= 0) return <>Still loading {noun.many}. The provider is slow to respond.</>;
  return (
    <>
      The provider asks us to slow down<span aria-hidden>; next try in {left} s</span>
    </>
  );
}
