import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { balanceQueries } from '#src/web/api/balances.ts';
import type { ListName } from '#src/shared/contract/contract.ts';
import { useSession } from '#src/web/api/session.ts';
import { suggestedValues } from '#src/web/list/rows/loadedRows.ts';
import {
  type Change,
  changeFilters,
  type Hints,
  type ReadFilters,
  readFilters,
  type SomeFilters,
  writeFilters,
} from './filterTable.ts';

export interface FilterState<F> extends ReadFilters<F> {
  table: SomeFilters<F>;
  change: Change<F>;
}

/** The filters of the list on this page; the URL is the only copy. `table`: module scope. */
export function useFilters<F>(table: SomeFilters<F>): FilterState<F> {
  const { search } = useLocation();
  const navigate = useNavigate();
  const read = useMemo(() => readFilters(new URLSearchParams(search), table), [search, table]);
  const change = useCallback<Change<F>>(
    (changes, how) => {
      const next = writeFilters(new URLSearchParams(search), changeFilters(read.filters, changes), table);
      void navigate({ search: next }, { replace: how === 'typed', preventScrollReset: true });
    },
    [navigate, search, read, table],
  );
  return { ...read, table, change };
}

/** What the filters of a list suggest. `enabled`: true once the list has loaded, so that this request doesn't compete with it. */
export function useHints(resource: ListName, enabled: boolean): Hints {
  const { account } = useSession();
  const client = useQueryClient();
  const { data } = useQuery({ ...balanceQueries.list(account), enabled, refetchOnMount: false });
  return {
    seen: (field) => suggestedValues(client, account, resource, field),
    held: () => data?.balances.map(({ asset }) => asset) ?? [],
  };
}
