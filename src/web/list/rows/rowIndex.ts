import { type NewerRows, NO_NEWER_ROWS } from '#src/web/api/paging/newerRows.ts';

interface PageOfRows<T> {
  readonly data: readonly T[];
  readonly malformed: readonly unknown[];
}

interface Identified {
  readonly id: string;
}

/** The rows of a list's pages, each id once. Read them with rowAt() and positionOf(). */
export interface RowIndex<T> {
  readonly pages: readonly PageOfRows<T>[];
  /**
   * The rows as their pages have them. The same array while the list only grows, because copying 100,000 rows for each
   * page takes 5 ms; so it may have rows past the end of an older index.
   */
  readonly rows: readonly T[];
  readonly count: number;
  /** Rows that were read again later, which replace those with the same ids. */
  readonly newer: NewerRows<T>;
  /** Row numbers by id; −1 for rows that do not belong to the list. Shared while the list grows, as `rows` is. */
  readonly positions: ReadonlyMap<string, number>;
  /** The number of each page's first row. */
  readonly starts: readonly number[];
  /** Number of rows left out because an earlier row has their id. */
  readonly repeated: number;
  /** Number of items that are not rows. */
  readonly malformed: number;
  /** Number of pages at the end that added no row. */
  readonly barren: number;
}

interface IndexOptions<T> {
  /** Whether a row belongs to the list; decided when its page is indexed. */
  keeps?: ((row: T) => boolean) | null;
  /** Called with each page before its rows are drawn. */
  onPage?: ((page: PageOfRows<T>) => void) | undefined;
}

/** Returns a function that indexes the pages of one list. Pages appended since its last call are added to that index. */
export function rowIndexer<T extends Identified>({ keeps, onPage }: IndexOptions<T> = {}) {
  let rows: T[] = [];
  let positions = new Map<string, number>();
  let latest = emptyIndex(rows, positions);
  return (pages: readonly PageOfRows<T>[]): RowIndex<T> => {
    const isGrown = latest.pages.every((page, at) => page === pages[at]);
    if (isGrown && latest.pages.length === pages.length) return latest;
    if (!isGrown) {
      rows = [];
      positions = new Map();
      latest = emptyIndex(rows, positions);
    }
    const starts = [...latest.starts];
    let { repeated, malformed, barren } = latest;
    for (const page of pages.slice(latest.pages.length)) {
      onPage?.(page);
      const start = rows.length;
      for (const row of page.data) {
        if (positions.has(row.id)) repeated += 1;
        else if (keeps?.(row) === false) positions.set(row.id, -1);
        else positions.set(row.id, rows.push(row) - 1);
      }
      starts.push(start);
      malformed += page.malformed.length;
      barren = rows.length === start ? barren + 1 : 0;
    }
    latest = { ...latest, pages, count: rows.length, starts, repeated, malformed, barren };
    return latest;
  };
}

function emptyIndex<T>(rows: readonly T[], positions: ReadonlyMap<string, number>): RowIndex<T> {
  const counts = { count: 0, repeated: 0, malformed: 0, barren: 0 };
  return { pages: [], rows, newer: NO_NEWER_ROWS, positions, starts: [], ...counts };
}

/** The number of the page that has a row. */
export function pageNumberOf({ starts }: RowIndex<unknown>, at: number): number {
  return starts.findLastIndex((start) => start <= at);
}

/** The latest reading of the row with this number; undefined outside the list. */
export function rowAt<T extends Identified>({ rows, count, newer }: RowIndex<T>, at: number): T | undefined {
  const row = at < count ? rows[at] : undefined;
  return row && (newer.get(row.id)?.row ?? row);
}

/** The number of the row with an id; −1 when it is not in the list. */
export function positionOf({ count, positions }: RowIndex<unknown>, id: string): number {
  const at = positions.get(id) ?? -1;
  return at < count ? at : -1;
}
