import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLocation, useMatch } from 'react-router';
import type { ListFilters } from '#src/api/contract.ts';
import { PAGE_SIZE } from '#src/api/pageQuery.ts';
import type { ListResource } from '#src/api/listResource.ts';
import { listEnd, type Page } from '#src/api/paging.ts';
import type { Noun } from '#src/lib/count.ts';
import { rowPath } from '#src/lib/paths.ts';
import type { ListRow } from './fields.tsx';
import type { RowIndex } from './rowIndex.ts';
import { positionAt } from './scrollMemory.ts';
import { useNewRows } from './useNewRows.ts';
import { usePrevNext } from './usePrevNext.ts';

interface ListOptions<T extends ListRow> {
  account: string;
  filters: ListFilters;
  noun: Noun;
  /** The address of the list. */
  at: string;
  api: ListResource<T>;
  /** Module scope: it remembers what it indexed. */
  indexRows: (pages: readonly Page<T>[]) => RowIndex<T>;
  settles: boolean;
}

/** An infinite list with all that stands around it: what is new in it, which row is open, and the way to its neighbours. */
export function useList<T extends ListRow>(list: ListOptions<T>) {
  const { account, filters, noun, at, api, indexRows, settles } = list;
  const { key: entry, search } = useLocation();
  const openId = useOpenId(at);
  const hrefOf = useCallback((id: string) => rowPath(at, id, search), [at, search]);
  const options = api.list(account, filters);
  const query = useInfiniteQuery(options);
  const { data } = query;
  const index = indexRows(data?.pages ?? []);
  const end = listEnd(data);
  const fresh = useNewRows({
    listKey: options.queryKey,
    data,
    index,
    readPage: (cursor, signal) => api.page(filters, cursor, { limit: PAGE_SIZE, account, signal }),
    byStatus: filters.status !== undefined,
    settles,
  });
  const readAgain = async () => {
    // Whoever is at the top of the list asked for the news, so they are shown at once.
    const atTop = positionAt(entry) < 1;
    if ((await fresh.readAgain()) && atTop) await fresh.show();
  };
  const steps = usePrevNext({ noun: noun.one, index, indexRows, end, query, openId, hrefOf });
  const since = data?.pages[0]?.readAt ?? null;
  return { noun, entry, openId, hrefOf, queryKey: options.queryKey, query, since, index, end, fresh, readAgain, steps };
}

/** What useList() gives. */
export type List<T extends ListRow> = ReturnType<typeof useList<T>>;

/** The id of the detail that is open beside a list, undefined when none is. */
export function useOpenId(listPath: string): string | undefined {
  return useMatch(`${listPath}/:id`)?.params.id;
}
