import { queryOptions, infiniteQueryOptions } from '@tanstack/react-query';
import type { GenericSchema } from 'valibot';
import { type ListFilters, type ListName, PROVIDER_LISTS } from '#src/shared/contract/contract.ts';
import { findRow, type FoundRow, type RowLookup } from './findRow.ts';
import { newerRowsQuery, NO_NEWER_ROWS } from './newerRows.ts';
import { PAGE_SIZE } from './pageQuery.ts';
import { type Page, pageAfterPage, type PageOptions, readPage } from './paging.ts';
import { type ReadOptions, read } from '#src/web/api/query.ts';
import { listOf, parseWith } from '#src/shared/contract/rows.ts';
import { segment } from '#src/shared/paths.ts';

/** How the rows of one of the service's lists are read. If the service doesn't offer the list, requests fail with an error for which saysNotFound() is true. */
export function createListQueries<T extends { id: string }>(name: ListName, schema: GenericSchema<unknown, T>) {
  const { path, byId } = PROVIDER_LISTS[name];
  const parse = listOf(schema);
  const parseRow = parseWith(schema);
  const page = (filters: ListFilters, cursor: string | null, options: PageOptions = {}): Promise<Page<T>> =>
    readPage(path, parse, filters, cursor, options);
  /** One row by its id, where the service looks it up; a 404 ApiError means that this account has none with that id. */
  const row = async (id: string, options: ReadOptions = {}): Promise<FoundRow<T>> => {
    const parseAsked = (json: unknown): T => {
      const parsed = parseRow(json);
      if (parsed.id !== id) throw new TypeError('it has another ID than the one requested');
      return parsed;
    };
    const { data, meta } = await read(`${path}/${segment(id)}`, undefined, parseAsked, options);
    return { found: true, row: data, ...meta };
  };
  return {
    name,
    byId,
    page,
    row,
    /** Loaded as far as the person scrolls and never refetched automatically: rows do not move under the reader. */
    list: (account: string, filters: ListFilters) =>
      infiniteQueryOptions({
        queryKey: [account, name, 'list', filters],
        queryFn: async ({ client, queryKey, pageParam, signal }) => {
          const read = await page(filters, pageParam, { limit: PAGE_SIZE, account, signal });
          if (pageParam === null) client.setQueryData(newerRowsQuery<T>(queryKey).queryKey, NO_NEWER_ROWS);
          return read;
        },
        ...pageAfterPage,
        // Sharing copies rows, and rawOf() finds the JSON as sent by the row object.
        structuralSharing: false,
        staleTime: Infinity,
        refetchOnMount: false,
      }),
    detail: (account: string, id: string) =>
      queryOptions({
        queryKey: [account, name, 'detail', id],
        // As above, for rawOf().
        structuralSharing: false,
        queryFn: ({ signal }): Promise<RowLookup<T>> =>
          byId
            ? row(id, { account, signal })
            : findRow<T>(id, (filters, cursor, limit) => page(filters, cursor, { limit, account, signal })),
      }),
  };
}

export type ListQueries<T extends { id: string }> = ReturnType<typeof createListQueries<T>>;
