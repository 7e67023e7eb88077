import { type InfiniteData, type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { saysNotFound } from '#src/web/api/errors.ts';
import { useSession } from '#src/web/api/session.ts';
import { usePolledQuery } from '#src/web/api/paging/polling.ts';
import type { FoundRow } from '#src/web/api/paging/findRow.ts';
import type { ListResource } from '#src/web/api/paging/listResource.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import { sameRow } from '#src/web/list/diffPages.ts';
import { listsOf, noteReading, readingOf } from '#src/web/list/rows/loadedRows.ts';
import { pageOf, positionOf, renewRows, rowAt, type RowIndex } from '#src/web/list/rows/rowIndex.ts';
import type { Resource } from './resource.ts';
import { PollInterval } from './pollInterval.ts';

/** A row from a list is looked up again when it is older than this. */
const STALE_MS = 60_000;

/** A row by its ID: at once from a loaded list, then from the look-up. `watched`: poll it, if the service has a look-up. */
export function useRow<T extends ListRow>(resource: Resource<T>, id: string, watched: boolean) {
  const { api, indexRows, settles } = resource;
  const { byId: live } = api;
  const { account } = useSession();
  const loaded = useLoadedRow(resource, account, id);
  const [interval] = useState(() => new PollInterval());
  const options = api.detail(account, id);
  const query = useQuery({
    ...options,
    ...(live
      ? // Until the look-up answers, to avoid a flash.
        loaded && watched && { placeholderData: loaded }
      : {
          // A row that cannot change is loaded once.
          staleTime: settles ? STALE_MS : Infinity,
          ...(loaded && { initialData: loaded, initialDataUpdatedAt: loaded.readAt * 1000 }),
        }),
  });
  const { data, error, isFetching, refetch } = query;
  // Another row starts the interval over, as another status does.
  const news = data?.found ? `${id} ${String(data.row['status'])}` : null;
  usePolledQuery(options.queryKey, () => interval.next(news), { enabled: live && watched });
  const queryClient = useQueryClient();
  useEffect(() => {
    if (data?.found) renewInLists(queryClient, account, { api, indexRows }, data);
  }, [queryClient, account, api, indexRows, data]);
  const found = data?.found ? data : live ? null : loaded;
  return {
    found: found ?? null,
    /** The look-up did not find it; a row from a list stays visible. */
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

type Lists<T> = readonly [QueryKey, InfiniteData<Page<T>> | undefined][];
type Indexer<T> = (pages: readonly Page<T>[]) => RowIndex<T>;

/** The lists that hold a row: their index, the row and when it was loaded. */
function whereLoaded<T extends { id: string }>(lists: Lists<T>, indexRows: Indexer<T>, id: string) {
  return lists.flatMap(([key, list]) => {
    const pages = list?.pages ?? [];
    const index = indexRows(pages);
    const at = positionOf(index, id);
    const row = rowAt(index, at);
    const meta = row && (readingOf(row) ?? pages[pageOf(index, at)]);
    return meta ? [{ key, index, row, meta }] : [];
  });
}

/** A row from the loaded lists in the form of a look-up; of several, the latest. */
export function loadedRow<T extends { id: string }>(
  lists: Lists<T>,
  indexRows: Indexer<T>,
  id: string,
): FoundRow<T> | undefined {
  let latest: FoundRow<T> | undefined;
  for (const { row, meta } of whereLoaded(lists, indexRows, id)) {
    const { requestId, date, readAt } = meta;
    if (!latest || latest.readAt < readAt) latest = { found: true, row, requestId, date, readAt };
  }
  return latest;
}

/** The row as the lists had it when it was opened. Stays the same object. */
function useLoadedRow<T extends ListRow>(
  { api, indexRows }: Resource<T>,
  account: string,
  id: string,
): FoundRow<T> | undefined {
  const queryClient = useQueryClient();
  return useMemo(
    () => loadedRow(queryClient.getQueriesData<InfiniteData<Page<T>>>(listsOf(account, api.name)), indexRows, id),
    [queryClient, api, indexRows, account, id],
  );
}

/** Updates a row in all lists from a later look-up; only the fields that the lists have. */
export function renewInLists<T extends { id: string; [field: string]: unknown }>(
  queryClient: QueryClient,
  account: string,
  { api, indexRows }: { api: Pick<ListResource<T>, 'name'>; indexRows: Indexer<T> },
  { row: later, ...meta }: FoundRow<T>,
): void {
  const lists = queryClient.getQueriesData<InfiniteData<Page<T>>>(listsOf(account, api.name));
  for (const { key, index, row, meta: before } of whereLoaded(lists, indexRows, later.id)) {
    const fields = Object.keys(row);
    if (before.readAt >= meta.readAt || !fields.every((name) => name in later)) continue;
    const renewed: T = { ...row, ...Object.fromEntries(fields.map((name) => [name, later[name]])) };
    if (sameRow(row, renewed)) continue;
    noteReading(renewed, meta);
    const newer = new Map([[later.id, renewed]]);
    queryClient.setQueryData<InfiniteData<Page<T>>>(key, (now) => now && renewRows(now, index, newer));
  }
}
