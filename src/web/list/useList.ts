import {
  queryOptions,
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { useCallback, useMemo, useEffect, useRef, useState } from 'react';
import { useLocation, useMatch, useNavigate } from 'react-router';
import { newerRowsQuery, NO_NEWER_ROWS } from '#src/web/api/paging/newerRows.ts';
import { PAGE_SIZE } from '#src/web/api/paging/pageQuery.ts';
import type { ListQueries } from '#src/web/api/paging/createListQueries.ts';
import { listEnd, type Page } from '#src/web/api/paging/paging.ts';
import type { NextStep } from '#src/shared/paging/nextStep.ts';
import { rowPath } from '#src/shared/paths.ts';
import type { ListRow } from './fields.tsx';
import { rowFilterOf, sentFilters, type SomeFilters } from './filters/filterTable.ts';
import type { PageFilters } from './filters/filterProps.ts';
import { type RowIndex, positionOf, rowAt, rowIndexer } from './rows/rowIndex.ts';
import { positionAt } from './rows/useRowWindow.ts';
import { useSortedRows } from './rows/sortRows.ts';
import { useNewRows } from './useNewRows.ts';
import { shorten, revealHidden, type Noun } from '#src/shared/text.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { type Step, STEPPED, type PrevNext } from './prevNext.ts';

interface ListOptions<T extends ListRow> {
  account: string;
  /** Must be a module constant: compared by identity. */
  table: SomeFilters<PageFilters>;
  /** Must be the same object while the filters are the same. */
  set: Partial<PageFilters>;
  amountOf: (row: T) => unknown;
  noun: Noun;
  /** The path of the list. */
  at: string;
  api: ListQueries<T>;
  /** Called with each page before its rows are drawn. */
  onPage?: ((page: { readonly data: readonly T[] }) => void) | undefined;
  settles: boolean;
}

const NO_PAGES: never[] = [];

/** An infinite list: its rows, new rows, the open row and the steps to its neighbours. */
export function useList<T extends ListRow>(list: ListOptions<T>) {
  const { account, table, set, amountOf, noun, at, api, onPage, settles } = list;
  const [indexLoaded] = useState(() => rowIndexer<T>({ onPage }));
  const { filters, keeps, indexRows } = useMemo(() => {
    const keep = rowFilterOf(set, table);
    const keeps = (row: T): boolean => keep === null || keep(row, amountOf(row));
    return { filters: sentFilters(set, table), keeps, indexRows: keep ? rowIndexer<T>({ keeps }) : indexLoaded };
  }, [set, table, amountOf, indexLoaded]);
  const { key: entry, search } = useLocation();
  const openId = useOpenId(at);
  const hrefOf = useCallback((id: string) => rowPath(at, id, search), [at, search]);
  const options = api.list(account, filters);
  const query = useInfiniteQuery(options);
  const { data } = query;
  const pages = data?.pages ?? NO_PAGES;
  const { data: newer = NO_NEWER_ROWS } = useQuery(newerRowsQuery<T>(options.queryKey));
  const loaded = useMemo(() => ({ ...indexLoaded(pages), newer }), [indexLoaded, pages, newer]);
  const index = useMemo(() => ({ ...indexRows(pages), newer }), [indexRows, pages, newer]);
  const end = listEnd(data);
  const sort = set.asset === undefined ? undefined : set.sort;
  const view = useSortedRows(index, { sort, amountOf, isLoading: query.isFetchingNextPage });
  const newRows = useNewRows({
    listKey: options.queryKey,
    data,
    index,
    loaded,
    keeps,
    readPage: (cursor, signal) => api.page(filters, cursor, { limit: PAGE_SIZE, account, signal }),
    byStatus: filters.status !== undefined,
    settles,
  });
  const readAgain = async () => {
    // At the top of the list a refresh shows new rows at once.
    const atTop = positionAt(entry) < 1;
    if ((await newRows.readAgain()) && atTop) await newRows.show();
  };
  const steps = usePrevNext({
    noun: noun.one,
    index: view,
    indexRows,
    end,
    isSorted: sort !== undefined,
    query,
    openId,
    hrefOf,
  });
  const since = data?.pages[0]?.readAt ?? null;
  const { queryKey } = options;
  return {
    noun,
    entry,
    openId,
    hrefOf,
    queryKey,
    query,
    since,
    /** How many rows other filters would find, counted in one page. */
    countOf: (other: Partial<PageFilters>) => countQuery(list, other),
    /** The rows of the list. `loaded`: how many rows were loaded for it, including those that the page's filters exclude. */
    index,
    /** The same rows, in the order to show. */
    view,
    sort,
    loaded: loaded.count,
    keeps,
    end,
    newRows,
    readAgain,
    steps,
  };
}

function countQuery<T extends ListRow>({ account, table, amountOf, api }: ListOptions<T>, other: Partial<PageFilters>) {
  return queryOptions({
    queryKey: [account, api.name, 'count-of', other],
    queryFn: async ({ signal }) => {
      const page = await api.page(sentFilters(other, table), null, { limit: LIMIT_MAX, account, signal });
      const keep = rowFilterOf(other, table);
      const kept = page.data.filter((row) => keep === null || keep(row, amountOf(row)));
      return { rows: kept.length, more: page.has_more !== false };
    },
  });
}

export type List<T extends ListRow> = ReturnType<typeof useList<T>>;

export function useOpenId(listPath: string): string | undefined {
  return useMatch(`${listPath}/:id`)?.params.id;
}

interface PrevNextOf<T extends ListRow> {
  noun: string;
  index: RowIndex<T>;
  indexRows: (pages: readonly Page<T>[]) => RowIndex<T>;
  /** How the pages read so far end. */
  end: NextStep | null;
  /** The rows are sorted by amount, so the position of rows that aren't loaded is unknown. */
  isSorted: boolean;
  query: Pick<UseInfiniteQueryResult<InfiniteData<Page<T>>>, 'fetchNextPage'>;
  openId: string | undefined;
  hrefOf: (id: string) => string;
}

const NOT_HERE = { why: 'It is not among the rows loaded so far.' };

/** Previous and next of the detail that is open beside a list; past the last loaded row, Next loads a page. */
function usePrevNext<T extends ListRow>(list: PrevNextOf<T>): PrevNext {
  const { noun, index, indexRows, end, isSorted, query, openId, hrefOf } = list;
  const navigate = useNavigate();
  const [reading, setReading] = useState(false);
  const [said, setSaid] = useState<{ of: string; note: string } | null>(null);
  const latest = useRef(openId);
  useEffect(() => {
    latest.current = openId;
  });

  const open = (row: T): void => {
    // Back returns to the list as it was before the first step, as with j and k.
    void navigate(hrefOf(row.id), { replace: true, state: STEPPED });
    announce(`Opened ${noun} ${revealHidden(shorten(row.id))}`);
  };
  const readOn = async (id: string): Promise<void> => {
    if (reading) return;
    setReading(true);
    setSaid(null);
    const { data, isFetchNextPageError } = await query.fetchNextPage({ cancelRefetch: false });
    setReading(false);
    // The person may have opened another detail meanwhile, or closed it.
    if (latest.current !== id) return;
    const grown = indexRows(data?.pages ?? []);
    const row = rowAt(grown, positionOf(grown, id) + 1);
    if (row) open(row);
    else if (isFetchNextPageError) setSaid({ of: id, note: 'Couldn’t load the next rows. Next tries again.' });
    else setSaid({ of: id, note: 'The next page brought no new row.' });
  };

  const at = openId === undefined ? -1 : positionOf(index, openId);
  const before = rowAt(index, at - 1);
  const after = rowAt(index, at + 1);
  const next = (id: string): Step => {
    if (after) return { go: () => open(after) };
    if (end?.kind === 'more' && !isSorted) return { go: () => void readOn(id) };
    if (end?.kind === 'broken') return { why: end.reason };
    return { why: end?.kind === 'end' ? 'Last in list.' : 'Last of the loaded rows.' };
  };
  const first = isSorted && end?.kind !== 'end' ? 'First of the loaded rows.' : 'First in list.';
  return {
    noun,
    previous: at === -1 ? NOT_HERE : before ? { go: () => open(before) } : { why: first },
    next: at === -1 || openId === undefined ? NOT_HERE : next(openId),
    reading,
    note: said !== null && said.of === openId ? said.note : null,
  };
}
