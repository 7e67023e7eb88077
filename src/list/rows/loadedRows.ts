// The rows that the lists of this page load have read, whatever page shows them. Nothing here reads anything.
import { type InfiniteData, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ListName } from '#src/api/contract.ts';
import type { FoundRow } from '#src/api/paging/findRow.ts';
import type { ListResource } from '#src/api/paging/listResource.ts';
import type { Page } from '#src/api/paging/paging.ts';
import type { Meta } from '#src/api/read.ts';
import { useSession } from '#src/api/session.ts';
import { isObject } from '#src/lib/answers.ts';
import { isSearchText } from '#src/lib/searchParams.ts';

/** Selects the lists of a resource whatever their filters, and no detail and no watch. */
export function listsOf(account: string, resource: ListName) {
  return {
    queryKey: [account, resource, 'list'],
    predicate: ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey.length === 4,
  };
}

const readings = new WeakMap<object, Meta>();

/** Keeps which reading a row came from, where that is not its page's. */
export function noteReading(row: object, { requestId, date, readAt }: Meta): void {
  readings.set(row, { requestId, date, readAt });
}

type Lists<T> = readonly [unknown, InfiniteData<Page<T>> | undefined][];

/** A row that some list has, with the reading it came from; the latest reading when several have it. */
export function loadedRow<T extends { id: string }>(lists: Lists<T>, id: string): { row: T; meta: Meta } | undefined {
  let latest: { row: T; meta: Meta } | undefined;
  for (const [, list] of lists)
    for (const { data, requestId, date, readAt } of list?.pages ?? []) {
      const row = data.find((each) => each.id === id);
      if (!row) continue;
      const meta = readings.get(row) ?? { requestId, date, readAt };
      if (!latest || latest.meta.readAt < meta.readAt) latest = { row, meta };
    }
  return latest;
}

/** What the lists had of a row when it was opened, as a look-up would give it; undefined when none had it. Always the same object. */
export function useLoadedRow<T extends { id: string }>(
  { name }: ListResource<T>,
  account: string,
  id: string,
): FoundRow<T> | undefined {
  const queryClient = useQueryClient();
  return useMemo(() => {
    const lists = queryClient.getQueriesData<InfiniteData<Page<T>>>(listsOf(account, name));
    const loaded = loadedRow(lists, id);
    return loaded && { found: true, row: loaded.row, ...loaded.meta };
  }, [queryClient, name, account, id]);
}

type Words = Partial<Record<'status' | 'asset' | 'chain', string | null>>;

/** The statuses, assets or chains of all rows of a resource, whatever the filters were. */
export function suggestedValues(
  client: QueryClient,
  account: string,
  resource: ListName,
  field: keyof Words,
): Set<string> {
  const values = new Set<string>();
  for (const [, list] of client.getQueriesData<InfiniteData<Page<Words>>>(listsOf(account, resource)))
    for (const page of list?.pages ?? [])
      for (const row of page.data) {
        const value = row[field];
        if (value != null && isSearchText(value)) values.add(value);
      }
  return values;
}

/** Every row that the lists of an account have read, of any resource, as it came. */
export function rowsRead(client: QueryClient, account: string): Record<string, unknown>[] {
  return [...rowsIn(client.getQueriesData({ queryKey: [account] }))];
}

function* rowsIn(entries: readonly (readonly [unknown, unknown])[]): Generator<Record<string, unknown>> {
  for (const [, data] of entries) {
    const pages = isObject(data) && Array.isArray(data['pages']) ? data['pages'] : [];
    for (const page of pages) {
      if (!isObject(page) || !Array.isArray(page['data'])) continue;
      for (const row of page['data']) if (isObject(row)) yield row;
    }
  }
}

/** What rowsRead() gave when the page opened; always the same array. */
export function useRowsRead(): readonly Record<string, unknown>[] {
  const { account } = useSession();
  const client = useQueryClient();
  const [rows] = useState(() => rowsRead(client, account));
  return rows;
}
