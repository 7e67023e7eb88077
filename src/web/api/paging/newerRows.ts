import { type QueryClient, type QueryKey, queryOptions, skipToken } from '@tanstack/react-query';
import type { ResponseInfo } from '#src/shared/answers.ts';

export interface RowReading<T> {
  row: T;
  meta: ResponseInfo;
}

/** Rows of a list that were read again after their page, by id. */
export type NewerRows<T> = ReadonlyMap<string, RowReading<T>>;

export const NO_NEWER_ROWS: NewerRows<never> = new Map();

/**
 * Stored beside the list and not in its pages: a next page in flight brings the earlier pages back as they were when it
 * was requested, which would undo a change to them.
 */
export function newerRowsQuery<T>(listKey: QueryKey) {
  return queryOptions<NewerRows<T>>({
    queryKey: [...listKey, 'newer'],
    queryFn: skipToken,
    initialData: NO_NEWER_ROWS,
    staleTime: Infinity,
  });
}

/** Replaces rows of a list by what a later request read; the rows keep their places. */
export function setNewerRows<T>(
  client: QueryClient,
  listKey: QueryKey,
  rows: ReadonlyMap<string, T>,
  { requestId, date, readAt }: ResponseInfo,
): void {
  const meta = { requestId, date, readAt };
  client.setQueryData(newerRowsQuery<T>(listKey).queryKey, (before: NewerRows<T> = NO_NEWER_ROWS) => {
    const newer = new Map(before);
    for (const [id, row] of rows) newer.set(id, { row, meta });
    return newer;
  });
}
