import { stringifyExact } from '#src/shared/json/exactJson.ts';

/** Maximum consecutive empty pages: a provider that sends more is making up cursors. */
export const EMPTY_PAGES_MAX = 20;

/** What follows a page: another page, the end, or a violation of the paging rules. */
export type NextStep = { kind: 'more'; cursor: string } | { kind: 'end' } | { kind: 'broken'; reason: string };

/** What a list response says about the next page; null if it says nothing. */
export interface PageEnd {
  has_more: boolean | null;
  next_cursor: string | null;
  /** Why an earlier reader of this page could not continue. */
  broken?: string;
}

export function pageEnd({ has_more, next_cursor }: { has_more?: unknown; next_cursor?: unknown }): PageEnd {
  return {
    has_more: typeof has_more === 'boolean' ? has_more : null,
    next_cursor: typeof next_cursor === 'string' && next_cursor !== '' ? next_cursor : null,
  };
}

interface PagesRead {
  /** The cursors already sent. */
  used: readonly (string | null)[];
  /** Consecutive pages without an item, this one included. */
  emptyPages?: number;
  /** This page has the same items as an earlier page. */
  repeatsItems?: boolean;
}

/** The paging rule (4.5), and what to do when a service breaks it. An empty page doesn't end a list; only has_more does. */
export function nextStep(
  { has_more, next_cursor, broken: reason }: PageEnd,
  { used, emptyPages = 0, repeatsItems = false }: PagesRead,
): NextStep {
  if (reason !== undefined) return { kind: 'broken', reason };
  if (has_more === false || (has_more === null && next_cursor === null)) return { kind: 'end' };
  if (next_cursor === null) return broken('says there is more, but sent no cursor for it');
  if (used.includes(next_cursor)) return broken('sent the same cursor twice');
  if (repeatsItems) return broken('sent the same rows twice');
  if (emptyPages > EMPTY_PAGES_MAX) return broken(`sent more than ${EMPTY_PAGES_MAX} empty pages in a row`);
  return { kind: 'more', cursor: next_cursor };
}

function broken(what: string): NextStep {
  return { kind: 'broken', reason: `The provider ${what}. Loading stopped here: the list may be longer.` };
}

/** A cheap fingerprint of a page: its first item, last item and count; empty for an empty page. */
export function pageMark(items: readonly unknown[]): string {
  return items.length === 0 ? '' : stringifyExact([items[0], items.at(-1), items.length]);
}

/** Applies the paging rule to successive pages. */
export function createPageFollower() {
  const used: (string | null)[] = [];
  let emptyPages = 0;
  const marks = new Set<string>();
  return {
    /** Call before the request with this cursor; null: the start of the list. */
    noteSent: (cursor: string | null): void => void used.push(cursor),
    /** The next step by the page's paging fields alone. */
    ahead: (page: PageEnd): NextStep => nextStep(page, { used, emptyPages: emptyPages + 1 }),
    follow: (page: PageEnd, items: readonly unknown[]): { step: NextStep; repeatsItems: boolean } => {
      const mark = pageMark(items);
      const repeatsItems = mark !== '' && marks.has(mark);
      emptyPages = mark === '' ? emptyPages + 1 : 0;
      marks.add(mark);
      return { step: nextStep(page, { used, emptyPages, repeatsItems }), repeatsItems };
    },
  };
}
