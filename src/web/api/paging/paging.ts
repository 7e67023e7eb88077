import type { ListFilters } from '#src/shared/contract/contract.ts';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { followPages, itemsOf, type WalkEnd, type WalkOptions } from '#src/shared/paging/followPages.ts';
import { createPageFollower, type NextStep, nextStep, pageMark } from '#src/shared/paging/nextStep.ts';
import { ofLaterPage } from '#src/web/api/errors.ts';
import { read, type ReadOptions } from '#src/web/api/query.ts';
import type { ParsedList } from '#src/shared/contract/rows.ts';
import { pageQuery } from './pageQuery.ts';

/** `mark`: from pageMark(). */
export type Page<T> = ParsedList<T> & ResponseInfo & { mark: string };

export interface PageOptions extends ReadOptions {
  /** 1 to 100 (4.5); the service's default when absent. */
  limit?: number | undefined;
}

/**
 * Reads the page after a cursor, and skips empty pages: a service may send pages without rows before further rows, and no
 * caller should mistake one for the end of the list.
 */
export async function readPage<T>(
  path: string,
  parse: (json: unknown) => ParsedList<T>,
  filters: ListFilters,
  cursor: string | null,
  { limit, signal, account }: PageOptions,
): Promise<Page<T>> {
  const follower = createPageFollower();
  for (let at = cursor; ;) {
    follower.noteSent(at);
    const { data, meta } = await read(path, pageQuery(filters, at, limit), parse, { signal, account }).catch(
      (error: unknown): never => {
        throw at === cursor ? error : ofLaterPage(error);
      },
    );
    const page = { ...data, ...meta, mark: pageMark(itemsOf(data)) };
    if (page.mark !== '') return page;
    const { step } = follower.follow(page, []);
    if (step.kind === 'broken') return { ...page, broken: step.reason };
    if (step.kind === 'end') return page;
    at = step.cursor;
  }
}

/** How the pages of an infinite query end; null before there are any. */
export function listEnd(
  data: { pages: readonly Page<unknown>[]; pageParams: readonly unknown[] } | undefined,
): NextStep | null {
  const last = data?.pages.at(-1);
  if (!data || !last) return null;
  return nextStep(last, {
    used: data.pageParams.filter((cursor) => typeof cursor === 'string'),
    repeatsItems: last.mark !== '' && data.pages.slice(0, -1).some(({ mark }) => mark === last.mark),
  });
}

export const pageAfterPage = {
  initialPageParam: null as string | null,
  getNextPageParam: (_last: unknown, pages: Page<unknown>[], _cursor: unknown, pageParams: (string | null)[]) => {
    const step = listEnd({ pages, pageParams });
    return step?.kind === 'more' ? step.cursor : null;
  },
};

export class BrokenPaging extends Error {
  override readonly name = 'BrokenPaging';
}

/** followPages for the browser. Marks an error of a later page, because it doesn't show whether the list exists. */
export async function walkPages<T>(
  fetchPage: (cursor: string | null) => Promise<Page<T>>,
  onPage: (page: Page<T>) => 'enough' | undefined | Promise<'enough' | undefined>,
  options?: WalkOptions,
): Promise<WalkEnd> {
  const fetchMarked = (cursor: string | null) =>
    fetchPage(cursor).catch((error: unknown): never => {
      throw cursor === null ? error : ofLaterPage(error);
    });
  return followPages(fetchMarked, (page) => onPage(page), options);
}

/** For readers that need the whole list: throws BrokenPaging where it could not be followed. */
export function assertFollowed(end: WalkEnd): void {
  if (end.kind === 'broken') throw new BrokenPaging(end.reason);
}
