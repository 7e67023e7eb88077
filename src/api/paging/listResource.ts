import { queryOptions, infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import type { GenericSchema } from 'valibot';
import type { FilterNames, ListFilters } from '#src/api/contract.ts';
import { findRow } from './findRow.ts';
import { PAGE_SIZE } from './pageQuery.ts';
import { type Page, nextStep, type PageOptions, readPage } from './paging.ts';
import { listOf } from '#src/api/schemas.ts';

/** How the rows of one of the service's lists are read. A list that the contract does not have fails: isNotOffered(error). */
export function listResource<T extends { id: string }>(
  name: keyof FilterNames,
  path: string,
  schema: GenericSchema<unknown, T>,
) {
  const parse = listOf(schema);
  const page = (filters: ListFilters, cursor: string | null, options: PageOptions = {}): Promise<Page<T>> =>
    readPage(path, parse, filters, cursor, options);
  return {
    name,
    path,
    page,
    list: (account: string, filters: ListFilters) =>
      infiniteList<T>([account, name, 'list', filters], (cursor, options) =>
        page(filters, cursor, { ...options, account }),
      ),
    /** One row by its id, where the service has no look-up of one. */
    detail: (account: string, id: string) =>
      queryOptions({
        queryKey: [account, name, 'detail', id],
        // Else a row that is read again is a copy, of which nobody knows what the service sent.
        structuralSharing: false,
        queryFn: ({ signal }) =>
          findRow<T>(id, (filters, cursor, limit) => page(filters, cursor, { limit, account, signal })),
      }),
  };
}

export type ListResource<T extends { id: string }> = ReturnType<typeof listResource<T>>;

/** A list read as far as the person scrolls and never again by itself: rows do not move under the reader. */
function infiniteList<T>(
  queryKey: QueryKey,
  readPage: (cursor: string | null, options: PageOptions) => Promise<Page<T>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam, { limit: PAGE_SIZE, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last, _pages, _cursor, used) => {
      const step = nextStep(last, used);
      return step.kind === 'more' ? step.cursor : null;
    },
    // Pages never change but by what was read: comparing them value by value would copy rows and lose where they came from.
    structuralSharing: false,
    staleTime: Infinity,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
