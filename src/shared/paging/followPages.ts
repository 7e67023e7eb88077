import { createPageFollower, type NextStep, type PageEnd } from './nextStep.ts';

/** A page as followPages needs it; `malformed`: the items that aren't rows. */
export interface FollowedPage extends PageEnd {
  data: readonly unknown[];
  malformed?: readonly unknown[];
}

export interface WalkOptions {
  signal?: AbortSignal | undefined;
  /** Cursor to start after; absent for the start of the list. */
  startAfter?: string | null | undefined;
  maxPages?: number;
  /** Requests the next page while one is processed. Only for readers that go to the end: the last request may be wasted. */
  ahead?: boolean;
}

/** How a walk ended: as the last page says ("more": where to continue), or because `onPage` returned 'enough'. */
export type WalkEnd = NextStep | { kind: 'enough' };

/** How the walk continues after a page. `repeatsItems`: it has the same items as an earlier page. */
interface PageStep {
  step: NextStep;
  repeatsItems: boolean;
}

/**
 * Reads a list page by page (contract 4.5), for the browser and for the server's checks. A page counts once `onPage`
 * returns; 'enough' ends the walk there. Throws what `fetchPage` or `onPage` throws, and the signal's reason when aborted.
 */
export async function followPages<P extends FollowedPage>(
  fetchPage: (cursor: string | null) => Promise<P>,
  onPage: (page: P, step: PageStep) => 'enough' | undefined | Promise<'enough' | undefined>,
  { signal, startAfter = null, maxPages = Infinity, ahead = false }: WalkOptions = {},
): Promise<WalkEnd> {
  const follower = createPageFollower();
  let cursor = startAfter;
  let next: Promise<P> | null = null;
  for (let pages = 1; ; pages += 1) {
    signal?.throwIfAborted();
    follower.noteSent(cursor);
    const page: P = await (next ?? fetchPage(cursor));
    // The response may arrive after the walk was aborted.
    signal?.throwIfAborted();
    const stated = follower.ahead(page);
    // Sent before this page is worked on, so that the two overlap.
    next = ahead && stated.kind === 'more' && pages < maxPages ? fetchPage(stated.cursor) : null;
    // Report its failure only if this page is used.
    next?.catch(() => undefined);
    const followed = follower.follow(page, itemsOf(page));
    if ((await onPage(page, followed)) === 'enough') return { kind: 'enough' };
    const { step } = followed;
    if (step.kind !== 'more' || pages >= maxPages) return step;
    cursor = step.cursor;
  }
}

export function itemsOf({ data, malformed = [] }: FollowedPage): readonly unknown[] {
  return data.length > 0 ? data : malformed;
}
