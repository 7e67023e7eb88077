import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { AnyFilters } from '#src/api/listQuery.ts';
import { type FilterName, PAYMENT_FILTERS, readFilters, writeFilters } from './filterCodec.ts';

export interface FilterState {
  /** The filters that this list has. */
  names: readonly FilterName[];
  filters: AnyFilters;
  /** What the URL says and cannot be meant. */
  ignored: string[];
  /** A choice is a step to come back to; typing is not. */
  choose: (filters: AnyFilters, how?: 'typed') => void;
}

/** The filters of the list on this page; the URL is the only copy. `names`: module scope. */
export function useListFilters(names: readonly FilterName[] = PAYMENT_FILTERS): FilterState {
  const { search } = useLocation();
  const navigate = useNavigate();
  const read = useMemo(() => readFilters(new URLSearchParams(search), names), [search, names]);
  const choose = useCallback(
    (filters: AnyFilters, how?: 'typed') => {
      const next = writeFilters(new URLSearchParams(search), filters, names);
      void navigate({ search: next }, { replace: how === 'typed', preventScrollReset: true });
    },
    [navigate, search, names],
  );
  return { ...read, names, choose };
}
