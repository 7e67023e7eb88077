import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { saysNotFound } from '#src/api/errors.ts';
import { useSession } from '#src/api/session.ts';
import { usePolledQuery } from '#src/api/paging/polling.ts';
import type { ListRow } from '#src/list/fields.tsx';
import { useLoadedRow } from '#src/list/rows/loadedRows.ts';
import type { Resource } from './resource.ts';
import { PollInterval } from './pollInterval.ts';

/** A row of a list is shown at once; older than this it is also looked up again. */
const STALE_MS = 60_000;

/** A row by its id: what a list has of it at once, and the look-up. `watched`: where the service has a look-up, read again and again. */
export function useRow<T extends ListRow>({ api, settles }: Resource<T>, id: string, watched: boolean) {
  const { byId: live } = api;
  const { account } = useSession();
  const loaded = useLoadedRow(api, account, id);
  const [interval] = useState(() => new PollInterval());
  const options = api.detail(account, id);
  const query = useQuery({
    ...options,
    ...(live
      ? // Until the look-up answers, to avoid a flash.
        loaded && watched && { placeholderData: loaded }
      : {
          // What cannot change is not read twice.
          staleTime: settles ? STALE_MS : Infinity,
          ...(loaded && { initialData: loaded, initialDataUpdatedAt: loaded.readAt * 1000 }),
        }),
  });
  const { data, error, isFetching, refetch } = query;
  // Another row is news, as another status is.
  const news = data?.found ? `${id} ${String(data.row['status'])}` : null;
  usePolledQuery(options.queryKey, () => interval.next(news), { enabled: live && watched });
  const found = data?.found ? data : live ? null : loaded;
  return {
    found: found ?? null,
    /** A look-up that did not find it; what a list had of it stays. */
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
