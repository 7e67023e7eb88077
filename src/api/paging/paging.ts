import type { ListFilters } from '#src/api/contract.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { ofLaterPage } from '#src/api/errors.ts';
import { type Meta, read, type ReadOptions } from '#src/api/read.ts';
import type { ParsedList } from '#src/api/schemas.ts';
import { pageQuery } from './pageQuery.ts';

export type Page<T> = ParsedList<T> & Meta;

export interface PageOptions extends ReadOptions {
  /** 1 to 100 (4.5); the service's default when absent. */
  limit?: number | undefined;
}

export async function readPage<T>(
  path: string,
  parse: (json: unknown) => ParsedList<T>,
  filters: ListFilters,
  cursor: string | null,
  { limit, signal, account }: PageOptions,
): Promise<Page<T>> {
  const { data, meta } = await read(path, pageQuery(filters, cursor, limit), parse, { signal, account });
  // The same object: to copy it would read its items.
  return Object.assign(data, meta);
}

/** What follows a page: another one, nothing, or a service whose paging cannot be followed. */
export type NextStep = { kind: 'more'; cursor: string } | { kind: 'end' } | { kind: 'broken'; reason: string };

/** The paging rule (4.5, and what to do when a service breaks it); `used` are the cursors already sent. */
export function nextStep(last: Page<unknown>, used: readonly (string | null)[]): NextStep {
  const { has_more, next_cursor } = last;
  if (has_more === false || (has_more === null && next_cursor === null)) return { kind: 'end' };
  if (next_cursor === null) return broken('says that there is more, but not where');
  if (used.includes(next_cursor)) return broken('gave the same place twice');
  if (last.data.length === 0 && last.malformed.length === 0)
    return broken('says that there is more after an empty page');
  return { kind: 'more', cursor: next_cursor };
}

function broken(what: string): NextStep {
  return { kind: 'broken', reason: `The provider ${what}. Loading stopped here: the list may be longer.` };
}

/** How the pages of an infinite query end; null before there are any. */
export function listEnd(
  data: { pages: readonly Page<unknown>[]; pageParams: readonly unknown[] } | undefined,
): NextStep | null {
  const last = data?.pages.at(-1);
  if (!data || !last) return null;
  return nextStep(
    last,
    data.pageParams.filter((cursor) => typeof cursor === 'string'),
  );
}

export const pageAfterPage = {
  initialPageParam: null as string | null,
  getNextPageParam: (last: Page<unknown>, _pages: unknown, _cursor: unknown, used: (string | null)[]) => {
    const step = nextStep(last, used);
    return step.kind === 'more' ? step.cursor : null;
  },
};

export class BrokenPaging extends Error {
  override readonly name = 'BrokenPaging';
}

interface WalkOptions {
  signal?: AbortSignal | undefined;
  /** Cursor to begin after; the list's start when absent. */
  startAfter?: string | null | undefined;
  maxPages?: number;
  /** Asks for the next page while one is being taken: for whoever reads to the end, since one may be read in vain. */
  ahead?: boolean;
}

/** How a walk ended: as the last page says, "more" being where to go on, or because its reader had enough. */
export type WalkEnd = NextStep | { kind: 'enough' };

/**
 * Reads a list page by page. A page counts once `onPage` has taken it; 'enough' ends the walk there. Throws what
 * either throws, and the signal's reason when aborted.
 */
export async function walkPages<T>(
  fetchPage: (cursor: string | null) => Promise<Page<T>>,
  onPage: (page: Page<T>) => 'enough' | undefined | Promise<'enough' | undefined>,
  { signal, startAfter = null, maxPages = Infinity, ahead = false }: WalkOptions = {},
): Promise<WalkEnd> {
  const used: (string | null)[] = [];
  let cursor = startAfter;
  let next: Promise<Page<T>> | null = null;
  let before = '';
  for (;;) {
    signal?.throwIfAborted();
    const page: Page<T> = await (next ?? fetchPage(cursor)).catch((error: unknown): never => {
      throw cursor === null ? error : ofLaterPage(error);
    });
    // The answer may come although it is no longer wanted.
    signal?.throwIfAborted();
    used.push(cursor);
    const { has_more, next_cursor } = page;
    const mayGoOn = has_more !== false && next_cursor !== null && !used.includes(next_cursor);
    // It leaves before the items of this page are read.
    next = ahead && mayGoOn && used.length < maxPages ? fetchPage(next_cursor) : null;
    // It is heard of once this page is taken, or not at all.
    next?.catch(() => undefined);
    const { data } = page;
    // A service that makes up cursors would never end.
    const ends = data.length > 0 ? stringifyExact([data[0], data.at(-1), data.length]) : '';
    const said = nextStep(page, used);
    const step = said.kind === 'more' && ends !== '' && ends === before ? broken('gave the same rows twice') : said;
    before = ends;
    const isLast = step.kind !== 'more' || used.length >= maxPages;
    if ((await onPage(page)) === 'enough') return { kind: 'enough' };
    if (isLast) return step;
    cursor = step.cursor;
  }
}

/** For readers that need the whole list: throws BrokenPaging where it could not be followed. */
export function assertFollowed(end: WalkEnd): void {
  if (end.kind === 'broken') throw new BrokenPaging(end.reason);
}
