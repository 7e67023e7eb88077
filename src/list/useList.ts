import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { type infiniteList, PAGE_SIZE } from '#src/api/infiniteList.ts';
import type { PageOptions } from '#src/api/listQuery.ts';
import { listEnd, type Page } from '#src/api/paging.ts';
import type { Noun } from '#src/lib/count.ts';
import type { ListRow } from './columns.ts';
import type { RowIndex } from './rowIndex.ts';
import { useFreshRows } from './useFreshRows.ts';
import { useReadAgain, useRowHref } from './useListActions.ts';
import { useOpenId } from './useOpenId.ts';
import { useSteps } from './useSteps.ts';

interface ListOptions<T extends ListRow> {
  noun: Noun;
  /** Where the list is, and the detail of one of its rows. */
  at: string;
  pathOf: (id: string, search: string) => string;
  options: ReturnType<typeof infiniteList<T>> & { queryKey: QueryKey };
  /** Module scope: it remembers what it indexed. */
  indexRows: (pages: readonly Page<T>[]) => RowIndex<T>;
  /** Reads a page with the list's filters. */
  readPage: (cursor: string | null, options: PageOptions) => Promise<Page<T>>;
  byStatus: boolean;
  settles: boolean;
}

/** An infinite list with all that stands around it: what is new in it, which row is open, and the way to its neighbours. */
export function useList<T extends ListRow>(list: ListOptions<T>) {
  const { noun, at, pathOf, options, indexRows, readPage, byStatus, settles } = list;
  const { key: entry } = useLocation();
  const openId = useOpenId(at);
  const hrefOf = useRowHref(pathOf);
  const query = useInfiniteQuery(options);
  const { data } = query;
  const index = indexRows(data?.pages ?? []);
  const end = listEnd(data);
  const fresh = useFreshRows({
    listKey: options.queryKey,
    data,
    index,
    readPage: (cursor, signal) => readPage(cursor, { limit: PAGE_SIZE, signal }),
    byStatus,
    settles,
  });
  const readAgain = useReadAgain(fresh);
  const steps = useSteps({ noun: noun.one, index, indexRows, end, query, openId, hrefOf });
  const since = data?.pages[0]?.readAt ?? null;
  return { noun, entry, openId, hrefOf, queryKey: options.queryKey, query, since, index, end, fresh, readAgain, steps };
}

/** What useList() gives. */
export type List<T extends ListRow> = ReturnType<typeof useList<T>>;
