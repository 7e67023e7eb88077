import type { Meta } from './read.ts';
import type { ParsedList } from './schemas.ts';

/** One page of a list as it is kept in the cache. */
export type Page<T> = ParsedList<T> & Meta;

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
  return { kind: 'broken', reason: `The service ${what}. Reading stopped here: the list may be longer.` };
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

/** Paging that cannot be followed to the end; `message` says why. */
export class BrokenPaging extends Error {
  override readonly name = 'BrokenPaging';
}

export interface WalkOptions<T> {
  signal?: AbortSignal | undefined;
  /** Cursor to begin after; the list's start when absent. */
  startAfter?: string | undefined;
  onPage?: ((page: Page<T>) => void) | undefined;
}

/** Every page of a list, one after the other; throws BrokenPaging where it cannot go on, and the signal's reason when aborted. */
export async function* walkPages<T>(
  fetchPage: (cursor: string | null, signal: AbortSignal | undefined) => Promise<Page<T>>,
  { signal, startAfter, onPage }: WalkOptions<T> = {},
): AsyncGenerator<Page<T>, void, undefined> {
  const used: (string | null)[] = [];
  let cursor: string | null = startAfter ?? null;
  for (;;) {
    signal?.throwIfAborted();
    const page = await fetchPage(cursor, signal);
    used.push(cursor);
    onPage?.(page);
    yield page;
    const step = nextStep(page, used);
    if (step.kind === 'end') return;
    if (step.kind === 'broken') throw new BrokenPaging(step.reason);
    cursor = step.cursor;
  }
}
