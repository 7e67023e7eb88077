import type { ResponseInfo } from '#src/shared/answers.ts';
import { followPages, type WalkEnd } from '#src/shared/paging/followPages.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import type { ListPage } from './providerReads.ts';

/** Most pages read to find a known row again. If the gap is wider, the list starts over. */
const GAP_PAGES_MAX = 5;
const DAY = 86_400;

export type ReadPage<T> = (cursor: string | null) => Promise<ListPage<T>>;

interface ListBackOptions {
  /** How far back to read. */
  days: number;
  /** Minimum number of pages, even if the last days were quiet. */
  pagesMin: number;
  /** Maximum number of pages without a person's request, which bounds memory. */
  pagesMax: number;
  /** Maximum number of pages if a person asks for more. */
  pagesLimit: number;
}

interface Row {
  id: string;
  created_at?: unknown;
}

export type ListBack<T extends Row> = ReturnType<typeof createListBack<T>>;

/** The rows of a list back to some day, newest first, each id once. Updates read only what is new. */
export function createListBack<T extends Row>({ days, pagesMin, pagesMax, pagesLimit }: ListBackOptions) {
  let rows: T[] | null = null;
  let info: ResponseInfo | null = null;
  let malformed = 0;
  /** Where to continue; null if the list ended or its paging is broken. */
  let cursor: string | null = null;
  let isEnd = false;
  let pages = 0;
  /** Starts at pagesMax; a person can raise it. */
  let pagesAllowed = pagesMax;
  /** Starts at `days`; a page can raise it. */
  let daysWanted = days;
  const rowsMax = () => pagesAllowed * 100;

  const serviceNow = () => info?.date ?? info?.readAt ?? 0;

  /** Unix seconds; null: to the end of the list, or not read yet. */
  function reached(): number | null {
    if (rows === null || isEnd) return null;
    // No readable time: we can't tell how far back the rows go, so assume not at all.
    return rows.map(({ created_at: at }) => at).findLast(isPlausibleTime) ?? serviceNow();
  }

  function goesBack(count: number): boolean {
    if (rows === null) return false;
    if (isEnd) return true;
    const oldest = reached();
    return pages >= pagesMin && oldest !== null && oldest < serviceNow() - count * DAY;
  }

  const hasFurther = (): boolean => rows !== null && cursor !== null && !goesBack(daysWanted) && pages < pagesAllowed;

  function noteEnd(end: WalkEnd, last: ListPage<T>): void {
    isEnd = end.kind === 'end';
    cursor = end.kind === 'more' ? end.cursor : end.kind === 'enough' ? last.next_cursor : null;
  }

  return {
    rows: () => rows,
    info: () => info,
    malformed: () => malformed,
    reached,
    isWhole: () => goesBack(days),
    hasFurther,
    /** Whether allowMore() would make further rows available. */
    canReadMore: () => rows !== null && cursor !== null && pages < pagesLimit,
    /** Reads from the newest row to a known one. */
    async readNewest(page: ReadPage<T>): Promise<void> {
      const known = new Set(rows?.map(({ id }) => id));
      const found = new Map<string, T>();
      let first: ListPage<T> | null = null;
      let last: ListPage<T> | null = null;
      let isJoined = false;
      let count = 0;
      let withoutId = 0;
      const end = await followPages(
        page,
        (each) => {
          first ??= each;
          last = each;
          count += 1;
          withoutId += each.malformed.length;
          for (const row of each.data) {
            isJoined ||= known.has(row.id);
            if (!found.has(row.id)) found.set(row.id, row);
          }
          return each.data.length > 0 && (isJoined || known.size === 0) ? 'enough' : undefined;
        },
        { maxPages: GAP_PAGES_MAX },
      );
      const newest: ListPage<T> = first ?? unreachable();
      info = { requestId: newest.requestId, date: newest.date, readAt: newest.readAt };
      const rest = isJoined ? (rows ?? []).filter(({ id }) => !found.has(id)) : [];
      if (isJoined) {
        if (end.kind === 'end') isEnd = true;
      } else {
        noteEnd(end.kind === 'enough' && newest.has_more === false ? { kind: 'end' } : end, last ?? newest);
        pages = count;
      }
      // Without an ID, we can't tell which of them were counted before.
      malformed = isJoined ? Math.max(malformed, withoutId) : withoutId;
      rows = [...found.values(), ...rest];
      if (rows.length > rowsMax()) {
        rows = rows.slice(0, rowsMax());
        isEnd = false;
        // An id is a cursor (contract 4.5).
        cursor = rows.at(-1)?.id ?? null;
        pages = pagesAllowed;
      }
    },
    /** Reads one more page. */
    async readFurther(page: ReadPage<T>): Promise<void> {
      const from = cursor;
      if (from === null || rows === null) return;
      let last: ListPage<T> | null = null;
      const known = new Set(rows.map(({ id }) => id));
      const end = await followPages(
        page,
        (each) => {
          last = each;
          malformed += each.malformed.length;
          const fresh = each.data.filter(({ id }) => !known.has(id));
          for (const { id } of fresh) known.add(id);
          rows = [...(rows ?? []), ...fresh];
          // Only new rows prove that the list continues.
          return fresh.length > 0 ? 'enough' : undefined;
        },
        { startAfter: from, maxPages: GAP_PAGES_MAX },
      );
      pages += 1;
      noteEnd(isLast(last) ? { kind: 'end' } : end, last ?? unreachable());
      if (cursor === from) cursor = null;
    },
    /** Rereads the page that begins with this row. */
    async readAgain(page: ReadPage<T>, id: string): Promise<void> {
      const at = rows?.findIndex((row) => row.id === id) ?? -1;
      if (rows === null || at < 0) return;
      const { data } = await page(at === 0 ? null : (rows[at - 1]?.id ?? null));
      const fresh = new Map(data.map((row) => [row.id, row]));
      rows = rows.map((row) => fresh.get(row.id) ?? row);
    },
    /** Updates known rows with newer versions from other reads. */
    update(fresh: ReadonlyMap<string, T>): void {
      if (fresh.size > 0) rows = rows?.map((row) => fresh.get(row.id) ?? row) ?? null;
    },
    /** From now on reads back this many days if that is more; Infinity: as far as the page limit allows. */
    wantDays(count: number): void {
      daysWanted = Math.max(daysWanted, count);
    },
    /** Raises the page limit for a person. */
    allowMore(pagesMore: number): void {
      pagesAllowed = Math.min(Math.max(pagesAllowed, pages + pagesMore), pagesLimit);
    },
  };
}

function isLast(page: ListPage<unknown> | null): boolean {
  return page !== null && (page.has_more === false || (page.has_more === null && page.next_cursor === null));
}

function unreachable(): never {
  throw new Error('A walk has a page.');
}
