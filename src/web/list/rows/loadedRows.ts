// The rows that the lists of this page load have read, whatever page shows them, and which of them were opened: what
// somebody looked at is nobody else's business. Nothing here reads anything.
import { type InfiniteData, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { ListName } from '#src/shared/contract/contract.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import type { Meta } from '#src/web/api/query.ts';
import { useSession } from '#src/web/api/session.ts';
import { isObject } from '#src/shared/answers.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { createStore } from '#src/web/ui/store.ts';

/** Selects the lists of a resource whatever their filters, and no detail and no watch. */
export function listsOf(account: string, resource: ListName) {
  return {
    queryKey: [account, resource, 'list'],
    predicate: ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey.length === 4,
  };
}

const readings = new WeakMap<object, Meta>();

export function noteReading(row: object, { requestId, date, readAt }: Meta): void {
  readings.set(row, { requestId, date, readAt });
}

/** Which reading a row came from, where it is not its page's. */
export function readingOf(row: object): Meta | undefined {
  return readings.get(row);
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

const opened = createStore<ReadonlySet<string>>(new Set());

export function markOpened(id: string): void {
  if (!opened.get().has(id)) opened.set(new Set(opened.get()).add(id));
}

export function useOpenedRows(): ReadonlySet<string> {
  return useSyncExternalStore(opened.subscribe, opened.get);
}
