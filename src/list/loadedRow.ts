import type { InfiniteData, Query } from '@tanstack/react-query';
import type { Page } from '#src/api/paging.ts';
import type { Meta } from '#src/api/read.ts';

export type Resource = 'deposits' | 'withdrawals' | 'ledger-entries';

/** Selects the lists of a resource that this page load has read, whatever their filters, and no detail and no watch. */
export function listsOf(account: string, resource: Resource) {
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
