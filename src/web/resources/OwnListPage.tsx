import { type ReactNode, type RefObject, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useOutlet } from 'react-router';
import { numberWords } from '#src/shared/text.ts';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { FilterBar } from '#src/web/list/filters/FilterBar.tsx';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { DataTable } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { FindField } from '#src/web/ui/Field.tsx';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { PageHeader } from '#src/web/ui/PageHeader.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { useShowMore } from '#src/web/ui/useShowMore.tsx';
import type { OwnList, OwnListQuery, OwnListRows } from './ownList.ts';
import type { ListView } from './useListView.ts';

interface OwnListPageProps<T, F extends object, Tab extends string> {
  list: OwnList<T, F, Tab>;
  view: ListView<T, F, Tab>;
  content: OwnListRows<T, Tab>;
  actions?: ReactNode;
  /** At the right end of the bar with the search. */
  tools?: ReactNode;
  /** Content of the page above the list, such as a form. */
  above?: ReactNode;
  /** The list’s heading, for a page that moves the focus to it. */
  heading?: RefObject<HTMLHeadingElement | null>;
}

export function OwnListPage<T, F extends object, Tab extends string>(props: OwnListPageProps<T, F, Tab>) {
  const { list, view, content, above } = props;
  const outlet = useOutlet();
  const search = useSearch(list.search, content.rows);
  const body = (
    <>
      {above}
      <Body {...props} found={search.found} />
    </>
  );
  const frame = list.hasDetails ? (
    <div className="list-split">
      <div className="list-place">{body}</div>
      {outlet && <div className="list-detail">{outlet}</div>}
    </div>
  ) : (
    <div className="page-body">{body}</div>
  );
  const openRow = content.rows?.find((row) => list.keyOf(row) === view.openKey);
  const page = (
    <>
      <PageHeader title={list.title} asOf={content.asOf} actions={props.actions ?? content.actions} />
      {list.filters && <FilterBar state={view.filterState} />}
      <ToolBar {...props} {...search} />
      {frame}
      {list.Dialog && openRow !== undefined && (
        <Suspense>
          <list.Dialog row={openRow} onClose={view.close} />
        </Suspense>
      )}
    </>
  );
  // Details open beside a list that scrolls by itself; else the page scrolls.
  return list.hasDetails ? <div className="list-page">{page}</div> : page;
}

interface BodyProps<T, F extends object, Tab extends string> extends OwnListPageProps<T, F, Tab> {
  /** The rows that match the search. */
  found: readonly T[];
}

/** A first page that fails is shown in place, a failed refresh as one line, a failed next page at the end. */
function Body<T, F extends object, Tab extends string>(props: BodyProps<T, F, Tab>) {
  const { list, view, content, heading } = props;
  const { query, rows, tabLabels } = content;
  const error = query?.error ?? null;
  const slow = useDelay(rows === undefined && error === null);
  if (rows === undefined) {
    if (query && error !== null) return <LoadError of={query} heading={`Couldn’t load ${list.noun.many}`} />;
    return <div className="pad">{slow && <output>Loading {list.noun.many}</output>}</div>;
  }
  const part = (
    <>
      {list.heading !== undefined && (
        <h2 ref={heading} tabIndex={-1} className="vh">
          {list.heading}
        </h2>
      )}
      {content.above}
      {tabLabels && view.tab !== undefined && (
        <div className="px-gutter py-3">
          <Segmented label="Show" value={view.tab} options={tabLabels} onChange={view.setTab} />
        </div>
      )}
      <Rows {...props} rows={rows} />
    </>
  );
  return (
    <>
      {query && error !== null && query.isFetchNextPageError !== true && (
        <StaleBar error={error} readAt={Math.floor(query.dataUpdatedAt / 1000)} onRetry={() => void query.refetch()} />
      )}
      {list.heading === undefined ? part : <section aria-label={list.heading}>{part}</section>}
    </>
  );
}

interface RowsProps<T, F extends object, Tab extends string> extends BodyProps<T, F, Tab> {
  rows: readonly T[];
}

function Rows<T, F extends object, Tab extends string>({ list, view, content, rows, found }: RowsProps<T, F, Tab>) {
  const { label, keyOf, tableClass, hasDetails, Table } = list;
  const { query, columns = [], tableStyle, notices, foot } = content;
  const { shown, more } = useShowMore(found);
  // A list that loads page by page shows all loaded rows.
  const isPaged = query?.hasNextPage !== undefined;
  if (rows.length === 0) {
    return (
      <>
        {notices}
        <NoRows list={list} isEmpty={content.isEmpty} tab={view.tab} scope={view.scope} action={content.emptyAction} />
        {!content.isEmpty && !hasDetails && <Foot query={query}>{foot}</Foot>}
      </>
    );
  }
  const part = (
    <>
      {notices}
      {Table ? (
        <Table rows={found} />
      ) : (
        <DataTable
          label={label}
          className={tableClass}
          style={tableStyle}
          rows={isPaged ? found : shown}
          columns={columns}
          keyOf={keyOf}
        />
      )}
    </>
  );
  if (hasDetails) {
    return (
      <div className="list-scroll" data-list-scroll>
        {part}
        <p className="list-foot">{foot}</p>
      </div>
    );
  }
  return (
    <>
      {part}
      <Foot query={query} more={!isPaged && more}>
        {foot}
      </Foot>
    </>
  );
}

const NONE: never[] = [];

function useSearch<T>(search: OwnList<T>['search'], rows: readonly T[] = NONE) {
  const inUrl = new URLSearchParams(useLocation().search).get('q') ?? '';
  const [typed, setTyped] = useState({ inUrl, text: inUrl });
  // A link may bring a search text. Any other navigation, such as closing a form, keeps the typed text.
  if (typed.inUrl !== inUrl) setTyped({ inUrl, text: inUrl });
  const text = useDeferredValue(typed.text);
  const found = useMemo(() => (search ? search.find(rows, text) : rows), [search, rows, text]);
  return { text: typed.text, onText: (next: string) => setTyped({ inUrl, text: next }), found };
}

interface ToolBarProps<T, F extends object, Tab extends string>
  extends BodyProps<T, F, Tab>, Pick<ReturnType<typeof useSearch<T>>, 'text' | 'onText'> {}

/** A bar with the search and the list's other tools. */
function ToolBar<T, F extends object, Tab extends string>(props: ToolBarProps<T, F, Tab>) {
  const { list, content, tools, found, text, onText } = props;
  const { rows = NONE, query } = content;
  const hasSearch = list.search !== undefined && rows.length > 0;
  if (!hasSearch && !tools) return null;
  const searched = query?.hasNextPage ? `the newest ${numberWords(rows.length)}` : numberWords(rows.length);
  return (
    <div className="filters">
      {hasSearch && (
        <FindField
          hint={list.search?.hint ?? ''}
          text={text}
          onText={onText}
          found={`${numberWords(found.length)} found in ${searched}`}
        />
      )}
      {tools && <div className="end">{tools}</div>}
    </div>
  );
}

interface FootProps {
  query: OwnListQuery | null;
  more?: ReactNode;
  children: ReactNode;
}

function Foot({ query, more, children }: FootProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query ?? {};
  if (!children && !more && !hasNextPage) return null;
  return (
    <div className="acts-row small sub px-gutter py-4">
      {more}
      <output>
        {isFetchNextPageError && 'Couldn’t load more. '}
        {children}
      </output>
      {hasNextPage && (
        <Button disabledReason={isFetchingNextPage ? 'Loading' : undefined} onClick={() => void fetchNextPage?.()}>
          {isFetchNextPageError ? 'Retry' : 'Load more'}
        </Button>
      )}
    </div>
  );
}

interface NoRowsProps<T, F extends object, Tab extends string> {
  list: OwnList<T, F, Tab>;
  isEmpty: boolean;
  tab: Tab | undefined;
  scope: string;
  action: ReactNode;
}

/** Says that there are no rows yet, none in this tab, or none that match the filters. */
function NoRows<T, F extends object, Tab extends string>({
  list,
  isEmpty,
  tab,
  scope,
  action,
}: NoRowsProps<T, F, Tab>) {
  const part = useRef<HTMLDivElement>(null);
  // The row that had the focus may have been removed.
  useReturnFocus(part);
  const { noun, path, tabs, Empty } = list;
  return (
    <div ref={part}>
      {scope !== '' ? (
        <EmptyState
          title={`No ${noun.many} match`}
          action={
            <Link className={buttonClass()} to={path}>
              Clear all filters
            </Link>
          }
        >
          <bdi>{scope}</bdi>
        </EmptyState>
      ) : tabs && tab !== undefined && !isEmpty ? (
        <EmptyState title={tabs.none[tab]} />
      ) : (
        <Empty action={action} />
      )}
    </div>
  );
}
