import { useQuery, useQueryClient } from '@tanstack/react-query';
import { balanceQueries } from '#src/api/balances.ts';
import type { FilterNames } from '#src/api/contract.ts';
import type { Hints } from './filterTable.ts';
import { suggestedValues } from './loadedRows.ts';

/** What the filters of a list suggest. `enabled`: the list was read, so the balances take nothing from its first rows. */
export function useHints(resource: keyof FilterNames, account: string, enabled: boolean): Hints {
  const client = useQueryClient();
  const { data } = useQuery({ ...balanceQueries.list(account), enabled, refetchOnMount: false });
  return {
    seen: (field) => suggestedValues(client, account, resource, field),
    held: () => data?.balances.map(({ asset }) => asset) ?? [],
  };
}
