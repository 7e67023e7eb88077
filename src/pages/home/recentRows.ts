import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { LIMIT_MAX } from '#src/api/contract.ts';
import type { PageOptions } from '#src/api/listQuery.ts';
import { nextStep, type Page, walkPages } from '#src/api/paging.ts';
import { type Meta, noMeta } from '#src/api/read.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { pauseAfter } from './pace.ts';

/** Pages of 100 before a person is asked whether to read on. */
export const MAX_PAGES = 10;
/** What is older is not read: whether something sits is judged by what is recent. */
export const DAYS_BACK = 30;

/** What this page needs of a deposit or a withdrawal; amount and time as they came. */
export interface HomeRow {
  id: string;
  status: string | null;
  asset: string | null;
  chain: string | null;
  amount: unknown;
  created_at: unknown;
}

export type ReadPage = (cursor: string | null, options: PageOptions) => Promise<Page<HomeRow>>;

/** The newest rows of a list, read in one go; times are those of the first page. */
export interface Stretch extends Meta {
  rows: HomeRow[];
  /** Items without an id. */
  malformed: number;
  pages: number;
  /** Why it stopped: the list's end, far enough back, the bound, or paging that cannot be followed. */
  stop: 'end' | 'far-enough' | 'bound' | 'broken';
  /** Why, where paging is broken. */
  reason: string | null;
  /** Where it goes on from the bound. */
  cursor: string | null;
}

/** Reads a list from the cursor on, newest first, to its end, a month back or ten pages, whichever comes first. */
export async function readStretch(
  readPage: ReadPage,
  startAfter: string | null,
  signal: AbortSignal | undefined,
): Promise<Stretch> {
  const pages: Page<HomeRow>[] = [];
  const end = await walkPages(
    (cursor) => readPage(cursor, { limit: LIMIT_MAX, signal }),
    (page) => {
      pages.push(page);
      const oldest = oldestTime(page.data);
      const { date, readAt } = pages[0] ?? page;
      const isFar = oldest !== null && oldest < (date ?? readAt) - DAYS_BACK * 86_400;
      // The list's end, and paging that is broken, say more than how far back it is.
      return isFar && nextStep(page, []).kind === 'more' ? 'enough' : undefined;
    },
    { signal, startAfter, maxPages: MAX_PAGES },
  );
  const { requestId, date, readAt } = pages[0] ?? noMeta();
  return {
    requestId,
    date,
    readAt,
    rows: pages.flatMap(({ data }) => data),
    malformed: pages.reduce((count, { malformed }) => count + malformed.length, 0),
    pages: pages.length,
    stop: STOPS[end.kind],
    reason: end.kind === 'broken' ? end.reason : null,
    cursor: end.kind === 'more' ? end.cursor : null,
  };
}

const STOPS = { end: 'end', enough: 'far-enough', more: 'bound', broken: 'broken' } as const;

/** The time of the last row that has one; the list is newest first (4.4). */
export function oldestTime(rows: readonly HomeRow[]): number | null {
  const last = rows.findLast(({ created_at }) => isPlausibleTime(created_at))?.created_at;
  return isPlausibleTime(last) ? last : null;
}

/** The newest rows, and each further stretch that the person asks for. */
export function recentRows(queryKey: QueryKey, readPage: ReadPage) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readStretch(readPage, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ stop, cursor }) => (stop === 'bound' ? cursor : null),
    // What costs many requests is not read again each time that somebody comes by.
    staleTime: ({ state }) => pauseAfter(pagesIn(state.data?.pages ?? []), false),
    // A thousand rows would be compared for nothing.
    structuralSharing: false,
  });
}

function pagesIn(stretches: readonly Stretch[]): number {
  return stretches.reduce((count, { pages }) => count + pages, 0);
}

/** All stretches as one: each id once, in the list's order. */
export interface Recent extends Meta {
  rows: HomeRow[];
  malformed: number;
  pages: number;
  stop: Stretch['stop'];
  reason: string | null;
  /** The list was read without a gap from now back to then, Unix seconds; null: to its end. */
  since: number | null;
}

export function joined(stretches: readonly Stretch[]): Recent | null {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (!first || !last) return null;
  const byId = new Map<string, HomeRow>();
  for (const { rows } of stretches) for (const row of rows) if (!byId.has(row.id)) byId.set(row.id, row);
  const rows = [...byId.values()];
  const { requestId, date, readAt } = first;
  return {
    requestId,
    date,
    readAt,
    rows,
    malformed: stretches.reduce((count, { malformed }) => count + malformed, 0),
    pages: pagesIn(stretches),
    stop: last.stop,
    reason: last.reason,
    since: last.stop === 'end' ? null : (oldestTime(rows) ?? date ?? readAt),
  };
}
