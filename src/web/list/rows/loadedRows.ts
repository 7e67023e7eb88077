// Rows of all lists loaded since the page load, and which of them were opened. Opened rows are only in memory: what a
// person looked at is private.
import { type InfiniteData, type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { ListName } from '#src/shared/contract/contract.ts';
import { newerRowsQuery, type RowReading } from '#src/web/api/paging/newerRows.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import { useSession } from '#src/web/api/session.ts';
import { isObject } from '#src/shared/answers.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { createStore } from '#src/web/ui/store.ts';

/** Selects the lists of a resource, whatever their filters; no details and no polled pages. */
export function listsOf(account: string, resource: ListName) {
  return {
    queryKey: [account, resource, 'list'],
    predicate: ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey.length === 4,
  };
}

/** The rows of one cached list, each with its latest reading. */
export function* rowsOfList<T extends { id: string }>(
  client: QueryClient,
  [key, list]: readonly [QueryKey, InfiniteData<Page<T>> | undefined],
): Generator<RowReading<T>> {
  const newer = client.getQueryData(newerRowsQuery<T>(key).queryKey);
  for (const page of list?.pages ?? []) for (const row of page.data) yield newer?.get(row.id) ?? { row, meta: page };
}

/** The latest reading of a row in one cached list. */
export function readingOf<T extends { id: string }>(
  client: QueryClient,
  [key, list]: readonly [QueryKey, InfiniteData<Page<T>> | undefined],
  id: string,
): RowReading<T> | undefined {
  for (const page of list?.pages ?? []) {
    const row = page.data.find((each) => each.id === id);
    if (row) return client.getQueryData(newerRowsQuery<T>(key).queryKey)?.get(id) ?? { row, meta: page };
  }
  return undefined;
}

interface Words {
  id: string;
  status?: string | null;
  asset?: string | null;
  chain?: string | null;
}

/** The statuses, assets or chains of all rows of a resource, whatever the filters were. */
export function suggestedValues(
  client: QueryClient,
  account: string,
  resource: ListName,
  field: Exclude<keyof Words, 'id'>,
): Set<string> {
  const values = new Set<string>();
  for (const list of client.getQueriesData<InfiniteData<Page<Words>>>(listsOf(account, resource)))
    for (const { row } of rowsOfList(client, list)) {
      const value = row[field];
      if (value != null && isSearchText(value)) values.add(value);
    }
  return values;
}

/** Every row of the account's cached lists, of any kind; some have no id. */
export function rowsRead(client: QueryClient, account: string): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  for (const [key, list] of client.getQueriesData({ queryKey: [account] })) {
    const pages = isObject(list) && Array.isArray(list['pages']) ? list['pages'] : [];
    const newer = client.getQueryData(newerRowsQuery<Record<string, unknown>>(key).queryKey);
    for (const page of pages) {
      if (!isObject(page) || !Array.isArray(page['data'])) continue;
      for (const row of page['data']) if (isObject(row)) rows.push(newer?.get(String(row['id']))?.row ?? row);
    }
  }
  return rows;
}

/** The result of rowsRead() when the page opened; always the same array. */
export function useRowsRead(): readonly Record<string, unknown>[] {
  const { account } = useSession();
  const client = useQueryClient();
  const [rows] = useState(() => rowsRead(client, account));
  return rows;
}

const opened = createStore<ReadonlySet<string>>(new Set());

export function markOpened(id: string): void {
  if (!opened.get().has(id)) opened.set(new Set(opened.get()).add(id));
}

export function useOpenedRows(): ReadonlySet<string> {
  return useSyncExternalStore(opened.subscribe, opened.get);
}
