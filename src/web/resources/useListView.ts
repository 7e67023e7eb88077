import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { readChoice, withParams } from '#src/shared/searchParams.ts';
import { describeFilters, keysOf, type SomeFilters } from '#src/web/list/filters/filterTable.ts';
import { type FilterState, useFilters } from '#src/web/list/filters/useFilters.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import type { OwnList } from './ownList.ts';

/** The person’s choices on a list’s page: tab and filters from the URL, and the opened row. */
export interface ListView<T, F extends object, Tab extends string> {
  tab: Tab | undefined;
  setTab: (tab: Tab) => void;
  filterState: FilterState<F>;
  /** The filters in words; empty without any. */
  scope: string;
  openKey: string | null;
  open: (row: T) => void;
  close: () => void;
}

// Must be a module constant: compared by identity.
const NO_FILTERS = {};

export function useListView<T, F extends object, Tab extends string>(list: OwnList<T, F, Tab>): ListView<T, F, Tab> {
  const { tabs, filters: table = NO_FILTERS, keyOf } = list;
  const [params, setParams] = useSearchParams();
  const filterTable: SomeFilters<F> = table;
  const filterState = useFilters<F>(filterTable);
  const zone = useZone();
  const [openKey, setOpenKey] = useState<string | null>(null);
  return {
    tab: tabs && (readChoice(params, 'show', keysOf(tabs.none)) ?? tabs.usual),
    setTab: (tab) =>
      setParams(withParams(params, { show: tab === tabs?.usual ? undefined : tab }), { preventScrollReset: true }),
    filterState,
    scope: describeFilters(filterState.filters, filterTable, zone),
    openKey,
    open: (row) => setOpenKey(keyOf(row)),
    close: () => setOpenKey(null),
  };
}
