import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { balanceQueries } from '#src/web/api/balances.ts';
import type { ListName } from '#src/shared/contract/contract.ts';
import type { Overview } from '#src/shared/contract/overviewContract.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { overviewKey } from '#src/web/api/overviewParams.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { zoneName } from '#src/shared/time.ts';
import { useSession } from '#src/web/api/session.ts';
import { suggestedValues } from '#src/web/list/rows/loadedRows.ts';
import {
  type ChangeFilters,
  changeFilters,
  type Hints,
  type ReadFilters,
  readFilters,
  type SomeFilters,
  writeFilters,
} from './filterTable.ts';

export interface FilterState<F> extends ReadFilters<F> {
  table: SomeFilters<F>;
  change: ChangeFilters<F>;
}

/** The filters of the list on this page; the URL is the only copy. `table` must be a module constant. */
export function useFilters<F>(table: SomeFilters<F>): FilterState<F> {
  const { search } = useLocation();
  const navigate = useNavigate();
  const read = useMemo(() => readFilters(new URLSearchParams(search), table), [search, table]);
  const change = useCallback<ChangeFilters<F>>(
    (changes, how) => {
      const next = writeFilters(new URLSearchParams(search), changeFilters(read.filters, changes), table);
      void navigate({ search: next }, { replace: how === 'typed', preventScrollReset: true });
    },
    [navigate, search, read, table],
  );
  return { ...read, table, change };
}

/** Suggestions for the filters of a list. `enabled`: once the list has loaded, so that this request doesn't compete with it. */
export function useHints(resource: ListName, enabled: boolean): Hints {
  const { account } = useSession();
  const client = useQueryClient();
  const zone = zoneName(useZone());
  const { data } = useQuery({ ...balanceQueries.list(account), enabled, refetchOnMount: false });
  // Only from the cache: a list's suggestions don't justify loading the whole overview.
  const words = client.getQueryData<Overview>(overviewKey(account, zone))?.words;
  return {
    valuesSeen: (field) =>
      new Set([...suggestedValues(client, account, resource, field), ...overviewWords(words, resource, field)]),
    assetsHeld: () => data?.balances.map(({ asset }) => asset) ?? [],
  };
}

type Field = Parameters<typeof suggestedValues>[3];

const KIND_OF_LIST = {
  deposits: 'deposit',
  withdrawals: 'withdrawal',
  'ledger-entries': null,
} as const satisfies Record<ListName, keyof Overview['words']['statuses'] | null>;

/** The values that occur in the overview's payments; empty if no page of this tab has loaded the overview. */
function overviewWords(words: Overview['words'] | undefined, resource: ListName, field: Field): readonly string[] {
  const kind = KIND_OF_LIST[resource];
  if (words === undefined || kind === null) return [];
  if (field === 'status') return words.statuses[kind].filter(isSearchText);
  return words.pairs.flatMap((pair) => pair[field] ?? []).filter(isSearchText);
}
