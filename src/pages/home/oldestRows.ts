import { queryOptions } from '@tanstack/react-query';
import { LIMIT_MAX } from '#src/api/contract.ts';
import type { Page } from '#src/api/paging.ts';
import { isSearchText } from '#src/lib/searchParams.ts';
import { compareWords } from '#src/lib/text.ts';
import type { HomeRow } from './recentRows.ts';

/** More statuses than these are not asked for one by one. */
const MOST_STATUSES = 4;

/** The oldest rows of some statuses. */
export interface Oldest {
  rows: HomeRow[];
  /** A page of each status was read; of these there are more. */
  more: string[];
}

type ReadOldest = (status: string, signal: AbortSignal) => Promise<Page<HomeRow>>;

/** Statuses that a list can be asked for by. */
export function askable(statuses: readonly (string | null)[]): string[] {
  return statuses
    .flatMap((status) => status ?? [])
    .filter((status) => isSearchText(status))
    .sort(compareWords);
}

/** A page of each status, oldest first: what sits longest may be older than anything that was read. */
export function oldestRows(queryKey: readonly string[], statuses: readonly string[], readOldest: ReadOldest) {
  return queryOptions({
    queryKey: [...queryKey, statuses],
    queryFn: async ({ signal }): Promise<Oldest> => {
      const rows: HomeRow[] = [];
      const more = statuses.slice(MOST_STATUSES);
      for (const status of statuses.slice(0, MOST_STATUSES)) {
        const page = await readOldest(status, signal);
        rows.push(...page.data);
        if (page.has_more !== false && page.data.length >= LIMIT_MAX) more.push(status);
      }
      return { rows, more };
    },
    structuralSharing: false,
  });
}
