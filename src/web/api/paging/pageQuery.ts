import { withParams } from '#src/shared/searchParams.ts';
import type { ListFilters } from '#src/shared/contract/contract.ts';

/** Rows of one page of a list as a person scrolls through it. */
export const PAGE_SIZE = 50;

/** The query of one page; filters go with every page (4.5 rule 2). */
export function pageQuery(filters: ListFilters, cursor: string | null, limit: number | undefined): URLSearchParams {
  return withParams(new URLSearchParams(), { limit, ...filters, starting_after: cursor ?? undefined });
}

export function withQuery(path: string, query: URLSearchParams | undefined): string {
  const search = query?.toString() ?? '';
  return search === '' ? path : `${path}?${search}`;
}
