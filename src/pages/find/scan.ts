import { isNotOffered } from '#src/api/errors.ts';
import { LIMIT_MAX, type ListFilters } from '#src/api/contract.ts';
import type { PageOptions } from '#src/api/listQuery.ts';
import { type Page, walkPages } from '#src/api/paging.ts';
import { rawOf } from '#src/api/schemas.ts';
import { amountQuery, fieldOfAmount } from '#src/lib/amountQuery.ts';
import { isObject } from '#src/lib/answers.ts';
import { isSame } from '#src/lib/classifyQuery.ts';
import { isPlausibleTime } from '#src/lib/time.ts';

/** Pages read before the person is asked whether to read on. */
const PAGES_AT_ONCE = 100;

export type ScannedList = 'deposits' | 'withdrawals';

interface ScannedRow {
  readonly id: string;
  readonly created_at?: unknown;
}

export interface Match {
  list: ScannedList;
  id: string;
  /** The field that holds the text. */
  field: string;
  /** Asset and status, as they came. */
  about: string;
}

/** How far a list has been read. */
export interface Covered {
  list: ScannedList;
  rows: number;
  /** Unix seconds of the newest and the oldest row read; null before one with a time. */
  newest: number | null;
  oldest: number | null;
  /** all: to its end; not-offered: the service has no such list; broken: its paging cannot be followed. */
  end: 'more' | 'all' | 'not-offered' | 'broken';
  /** Where reading goes on. */
  cursor: string | undefined;
}

export interface Scan {
  matches: readonly Match[];
  covered: readonly Covered[];
}

export type ReadList = (filters: ListFilters, cursor: string | null, options: PageOptions) => Promise<Page<ScannedRow>>;

export function newScan(): Scan {
  const nothing = { rows: 0, newest: null, oldest: null, end: 'more' as const, cursor: undefined };
  return {
    matches: [],
    covered: [
      { list: 'withdrawals', ...nothing },
      { list: 'deposits', ...nothing },
    ],
  };
}

/** Whether reading on could find more. */
export function mayGoOn({ covered }: Scan): boolean {
  return covered.some(({ end }) => end === 'more');
}

/** Reads on through both lists, newest first, until each has been read so many pages further; throws what a read throws. */
export async function scanOn(
  from: Scan,
  text: string,
  lists: Record<ScannedList, ReadList>,
  signal: AbortSignal,
  onProgress: (scan: Scan) => void,
): Promise<void> {
  let scan = from;
  const show = (covered: Covered, found: Match[] = []): void => {
    const others = scan.covered.map((each) => (each.list === covered.list ? covered : each));
    scan = { matches: [...scan.matches, ...found], covered: others };
    onProgress(scan);
  };
  for (const start of from.covered) {
    if (start.end !== 'more') continue;
    const { list } = start;
    let covered = start;
    const fetchPage = (cursor: string | null) => lists[list]({}, cursor, { limit: LIMIT_MAX, signal });
    const onPage = (page: Page<ScannedRow>): undefined => {
      covered = further(covered, page);
      show(covered, matchesIn(page, list, text));
    };
    try {
      const options = { signal, startAfter: start.cursor, maxPages: PAGES_AT_ONCE };
      const end = await walkPages(fetchPage, onPage, options);
      if (end.kind === 'end') show({ ...covered, end: 'all' });
      else if (end.kind === 'broken') show({ ...covered, end: 'broken' });
    } catch (error) {
      if (!isNotOffered(error)) throw error;
      show({ ...covered, end: 'not-offered' });
    }
  }
}

function matchesIn({ data }: Page<ScannedRow>, list: ScannedList, text: string): Match[] {
  const wanted = amountQuery(text);
  return data.flatMap((row) => {
    const object = rawOf(row);
    if (!isObject(object)) return [];
    const same = Object.keys(object).find((name) => isSame(object[name], text));
    const field = same ?? (wanted && fieldOfAmount(object, wanted));
    return field == null ? [] : [{ list, id: row.id, field, about: aboutRow(object) }];
  });
}

/** "ETH, completed". */
export function aboutRow({ asset, status }: Record<string, unknown>): string {
  return [asset, status].filter((word) => typeof word === 'string').join(', ');
}

function further(covered: Covered, page: Page<ScannedRow>): Covered {
  const times = page.data.map(({ created_at: at }) => at).filter(isPlausibleTime);
  return {
    ...covered,
    rows: covered.rows + page.data.length + page.malformed.length,
    newest: covered.newest ?? times[0] ?? null,
    oldest: times.at(-1) ?? covered.oldest,
    cursor: page.next_cursor ?? covered.cursor,
    end: page.has_more === false ? 'all' : 'more',
  };
}
