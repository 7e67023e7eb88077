import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { Balances } from '#src/api/balances.ts';
import type { Page } from '#src/api/paging.ts';
import { getRequestLog } from '#src/api/requestLog.ts';
import { useSession } from '#src/api/session.ts';
import { useOperations } from '#src/api/useOperations.ts';
import { listsOf } from '#src/list/loadedRows.ts';
import { recentPlaces } from './recent.ts';
import type { targetsOf } from './targets.ts';

type Known = Parameters<typeof targetsOf>[1];

/** What this page already knows, so that finding it asks nobody. */
export function useKnown(): () => Known {
  const queryClient = useQueryClient();
  const { account } = useSession();
  const { operations } = useOperations();
  return () => {
    const rows = (['deposits', 'withdrawals'] as const).flatMap((list) =>
      queryClient
        .getQueriesData<InfiniteData<Page<{ id: string; [field: string]: unknown }>>>(listsOf(account, list))
        .flatMap(([, data]) => data?.pages ?? [])
        .flatMap(({ data }) => data.map((row) => ({ list, id: row.id, row }))),
    );
    const balances = queryClient.getQueryData<Balances>([account, 'balances', 'list'])?.balances ?? [];
    return {
      operations,
      assets: balances.map(({ asset }) => asset),
      rows,
      requests: getRequestLog(),
      recent: recentPlaces(),
    };
  };
}
