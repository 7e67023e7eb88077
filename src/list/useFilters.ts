import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  type Change,
  changeFilters,
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
