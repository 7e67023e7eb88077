import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ListName } from '#src/shared/contract/contract.ts';
import { saysNotFound } from '#src/web/api/errors.ts';
import { useSession } from '#src/web/api/session.ts';
import { POLLED } from '#src/web/api/polled.ts';
import type { FoundRow, RowLookup } from '#src/web/api/paging/findRow.ts';
import { type RowReading, setNewerRows } from '#src/web/api/paging/newerRows.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import { sameRow } from '#src/web/list/diffPages.ts';
import { listsOf, readingOf } from '#src/web/list/rows/loadedRows.ts';
import type { Resource } from './resource.ts';
import { PollInterval } from './pollInterval.ts';

/** A row from a list is loaded again if it is older than this. */
const STALE_MS = 60_000;

/** A row by its ID: at once from a loaded list, then from the look-up. `watched`: poll it, if the service has a look-up. */
export function useRow<T extends ListRow>(resource: Resource<T>, id: string, watched: boolean) {
  const { api, settles } = resource;
  const { byId: live } = api;
  const { account } = useSession();
  const loaded = useLoadedRow(resource, account, id);
  const [interval] = useState(() => new PollInterval());
  const options = api.detail(account, id);
  const query = useQuery({
    ...options,
    ...POLLED,
    refetchInterval: ({ state }) => live && watched && interval.next(pollKeyOf(id, state.data)),
    ...(live
      ? // Shown until the look-up responds, to avoid a flash.
        loaded && watched && { placeholderData: loaded }
      : {
          // A row that cannot change is loaded once.
          staleTime: settles ? STALE_MS : Infinity,
          ...(loaded && { initialData: loaded, initialDataUpdatedAt: loaded.readAt * 1000 }),
        }),
  });
  const { data, error, isFetching, refetch } = query;
  const queryClient = useQueryClient();
  useEffect(() => {
    if (data?.found) renewInLists(queryClient, account, api.name, data);
  }, [queryClient, account, api, data]);
  const found = data?.found ? data : live ? null : loaded;
  return {
    found: found ?? null,
    /** The look-up's result if it did not find the row. A row from a list stays visible. */
    missing: data?.found === false ? data : null,
    error,
    unknown: live && saysNotFound(error) ? error : null,
    reading: isFetching,
    readAgain: () => {
      interval.restart();
      void refetch();
    },
  };
}

/** Restarts the polling interval for a new status, and for another row. */
function pollKeyOf<T extends ListRow>(id: string, read: RowLookup<T> | undefined): string | null {
  return read?.found ? `${id} ${String(read.row['status'])}` : null;
}

/** The latest reading of a row in the cached lists, in the form of a look-up. */
export function loadedRow<T extends { id: string }>(
  client: QueryClient,
  account: string,
  list: ListName,
  id: string,
): FoundRow<T> | undefined {
  let latest: RowReading<T> | undefined;
  for (const loaded of client.getQueriesData<InfiniteData<Page<T>>>(listsOf(account, list))) {
    const reading = readingOf(client, loaded, id);
    if (reading && (!latest || latest.meta.readAt < reading.meta.readAt)) latest = reading;
  }
  if (!latest) return undefined;
  const { requestId, date, readAt } = latest.meta;
  return { found: true, row: latest.row, requestId, date, readAt };
}

/** The row as the lists had it when it was opened; always the same object. */
function useLoadedRow<T extends ListRow>({ api }: Resource<T>, account: string, id: string): FoundRow<T> | undefined {
  const queryClient = useQueryClient();
  return useMemo(() => loadedRow<T>(queryClient, account, api.name, id), [queryClient, api, account, id]);
}

/** Updates a row in all lists from a later look-up, but only the fields that the lists have. */
export function renewInLists<T extends { id: string; [field: string]: unknown }>(
  client: QueryClient,
  account: string,
  resource: ListName,
  { row: later, ...meta }: FoundRow<T>,
): void {
  for (const list of client.getQueriesData<InfiniteData<Page<T>>>(listsOf(account, resource))) {
    const before = readingOf(client, list, later.id);
    if (!before || before.meta.readAt >= meta.readAt) continue;
    const fields = Object.keys(before.row);
    if (!fields.every((name) => name in later)) continue;
    const renewed: T = { ...before.row, ...Object.fromEntries(fields.map((name) => [name, later[name]])) };
    if (!sameRow(before.row, renewed)) setNewerRows(client, list[0], new Map([[later.id, renewed]]), meta);
  }
}
