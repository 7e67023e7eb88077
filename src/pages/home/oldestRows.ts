import { queryOptions } from '@tanstack/react-query';
import { nextStep, type Page } from '#src/api/paging.ts';
import { isSearchText } from '#src/lib/searchParams.ts';
import { compareWords } from '#src/lib/text.ts';
import type { HomeRow } from './recentRows.ts';

/** More statuses than these are not asked for one by one. */
const MOST_STATUSES = 4;

/** The oldest rows of some statuses. */
export interface Oldest {
  rows: HomeRow[];
  /** A page of each status was read; of these there are more, or may be. */
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
        // A page may come short of what there is, and an item without an id may be anything.
        if (nextStep(page, []).kind !== 'end' || page.malformed.length > 0) more.push(status);
      }
      return { rows, more };
    },
    structuralSharing: false,
  });
}
