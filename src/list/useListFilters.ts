import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { ListFilters } from '#src/api/contract.ts';
import { readFilters, writeFilters } from './filterCodec.ts';

export interface FilterState {
  filters: ListFilters;
  /** What the URL says and cannot be meant. */
  ignored: string[];
  /** A choice is a step to come back to; typing is not. */
  choose: (filters: ListFilters, how?: 'typed') => void;
}

/** The filters of the list on this page; the URL is the only copy. */
export function useListFilters(): FilterState {
  const { search } = useLocation();
  const navigate = useNavigate();
  const read = useMemo(() => readFilters(new URLSearchParams(search)), [search]);
  const choose = useCallback(
    (filters: ListFilters, how?: 'typed') => {
      const next = writeFilters(new URLSearchParams(search), filters);
      void navigate({ search: next }, { replace: how === 'typed', preventScrollReset: true });
    },
    [navigate, search],
  );
  return { ...read, choose };
}
