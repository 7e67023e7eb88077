import type { ListFilters } from '#src/api/contract.ts';
import { pageQuery } from './pageQuery.ts';
import type { Page } from './paging.ts';
import { read } from '#src/api/read.ts';
import type { ParsedList } from '#src/api/schemas.ts';

export interface PageOptions {
  /** 1 to 100 (4.5); the service's default when absent. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
  /** X-Account; the session's when absent. */
  account?: string | undefined;
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
