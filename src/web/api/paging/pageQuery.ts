import { withParams } from '#src/shared/searchParams.ts';
import type { ListFilters } from '#src/shared/contract/contract.ts';

/** What the lists of payments are asked for by status: words for what is not final, oldest first, and for what failed. */
export const ASKED_STATUSES = {
  deposit: ['pending', 'processing', 'failed'],
  withdrawal: ['pending', 'processing', 'broadcasted', 'failed'],
} as const;

/** How a list is asked for the payments of one status; of those that ended badly the newest count. */
export function statusFilters(status: string, isEnd: boolean, asset?: string): ListFilters {
  return { status, ...(asset !== undefined && { asset }), ...(!isEnd && { order: 'asc' }) };
}

/** Rows of one page of a list as a person scrolls through it. */
export const PAGE_SIZE = 50;

/** The query of one page: whatever filters there are go with every page (4.5 rule 2). */
export function pageQuery(filters: ListFilters, cursor: string | null, limit: number | undefined): URLSearchParams {
  return withParams(new URLSearchParams(), { limit, ...filters, starting_after: cursor ?? undefined });
}

export function withQuery(path: string, query: URLSearchParams | undefined): string {
  const search = query?.toString() ?? '';
  return search === '' ? path : `${path}?${search}`;
}
