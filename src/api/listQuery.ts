import type { ListFilters } from './contract.ts';
import type { Page } from './paging.ts';
import { read } from './read.ts';
import type { ParsedList } from './schemas.ts';

/** The contract's filters (4.4), and those of lists that are not in it. */
export interface AnyFilters extends ListFilters {
  /** Of ledger entries: id of the deposit or withdrawal behind them. */
  source?: string;
}

export interface PageOptions {
  /** 1 to 100 (4.5); the service's default when absent. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
  /** X-Account; the session's when absent. */
  account?: string | undefined;
}

/** The query of one page: filters are sent with every page (4.5 rule 2). */
export function pageQuery(filters: AnyFilters, cursor: string | null, limit: number | undefined): URLSearchParams {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (filters.status !== undefined) query.set('status', filters.status);
  if (filters.asset !== undefined) query.set('asset', filters.asset);
  if (filters.source !== undefined) query.set('source', filters.source);
  if (filters.created_after !== undefined) query.set('created_after', String(filters.created_after));
  if (filters.created_before !== undefined) query.set('created_before', String(filters.created_before));
  if (filters.order !== undefined) query.set('order', filters.order);
  if (cursor !== null) query.set('starting_after', cursor);
  return query;
}

/** Reads one page of a list. */
export async function readPage<T>(
  path: string,
  parse: (json: unknown) => ParsedList<T>,
  filters: AnyFilters,
  cursor: string | null,
  { limit, signal, account }: PageOptions,
): Promise<Page<T>> {
  const { data, meta } = await read(path, pageQuery(filters, cursor, limit), parse, { signal, account });
  return { ...data, ...meta };
}
