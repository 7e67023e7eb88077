import { withParams } from '#src/lib/searchParams.ts';
import type { ListFilters } from './contract.ts';
import type { Page } from './paging.ts';
import { read } from './read.ts';
import type { ParsedList } from './schemas.ts';

export interface PageOptions {
  /** 1 to 100 (4.5); the service's default when absent. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
  /** X-Account; the session's when absent. */
  account?: string | undefined;
}

/** The query of one page: whatever filters there are go with every page (4.5 rule 2). */
export function pageQuery(filters: ListFilters, cursor: string | null, limit: number | undefined): URLSearchParams {
  return withParams(new URLSearchParams(), { limit, ...filters, starting_after: cursor ?? undefined });
}

/** Reads one page of a list. */
export async function readPage<T>(
  path: string,
  parse: (json: unknown) => ParsedList<T>,
  filters: ListFilters,
  cursor: string | null,
  { limit, signal, account }: PageOptions,
): Promise<Page<T>> {
  const { data, meta } = await read(path, pageQuery(filters, cursor, limit), parse, { signal, account });
  return { ...data, ...meta };
}
