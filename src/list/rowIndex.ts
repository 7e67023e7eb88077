interface PageOfRows<T> {
  readonly data: readonly T[];
  readonly malformed: readonly unknown[];
}

interface Identified {
  readonly id: string;
}

/** The rows of all pages read, found by number without ever making one array of them. */
export interface RowIndex<T> {
  readonly pages: readonly PageOfRows<T>[];
  /** Per page its rows that no earlier page had. */
  readonly kept: readonly (readonly T[])[];
  /** Per page the number of its first row; prefix sums, because pages may come short. */
  readonly starts: readonly number[];
  readonly count: number;
  /** Rows left out because their id stands further up. */
  readonly repeated: number;
  /** Items that are no rows. */
  readonly malformed: number;
  /** Pages at the end that brought no row that was not there before. */
  readonly barren: number;
  /** Row number by id. May hold later rows of a longer list: only numbers below `count` are this index's. */
  readonly positions: Map<string, number>;
}

/**
 * Makes the index of a list's pages; the same object while the pages are the same. It remembers the index last made for
 * a list, by the list's first page, so that appending a page costs that page and not the list.
 */
export function rowIndexer<T extends Identified>(): (pages: readonly PageOfRows<T>[]) => RowIndex<T> {
  const latest = new WeakMap<object, RowIndex<T>>();
  return (pages) => {
    const [first] = pages;
    if (!first) return emptyIndex();
    const known = latest.get(first);
    if (known && known.pages.length === pages.length && known.pages.at(-1) === pages.at(-1)) return known;
    const index = grow(known && isStartOf(known, pages) ? known : emptyIndex<T>(), pages);
    latest.set(first, index);
    return index;
  };
}

function emptyIndex<T>(): RowIndex<T> {
  return { pages: [], kept: [], starts: [], count: 0, repeated: 0, malformed: 0, barren: 0, positions: new Map() };
}

function isStartOf<T>(index: RowIndex<T>, pages: readonly PageOfRows<T>[]): boolean {
  const { length } = index.pages;
  return length < pages.length && index.pages[length - 1] === pages[length - 1];
}

function grow<T extends Identified>(index: RowIndex<T>, pages: readonly PageOfRows<T>[]): RowIndex<T> {
  const kept = [...index.kept];
  const starts = [...index.starts];
  let { count, repeated, malformed, barren } = index;
  for (const page of pages.slice(index.pages.length)) {
    const rows = keepNew(page.data, index.positions, count);
    kept.push(rows);
    starts.push(count);
    count += rows.length;
    repeated += page.data.length - rows.length;
    malformed += page.malformed.length;
    barren = rows.length === 0 ? barren + 1 : 0;
  }
  return { pages, kept, starts, count, repeated, malformed, barren, positions: index.positions };
}

function keepNew<T extends Identified>(data: readonly T[], positions: Map<string, number>, from: number): readonly T[] {
  let next = from;
  const isNew = (row: T): boolean => {
    const position = positions.get(row.id);
    if (position !== undefined && position < next) return false;
    positions.set(row.id, next);
    next += 1;
    return true;
  };
  const rows = data.filter(isNew);
  // Nearly every page is kept whole: then its own array serves.
  return rows.length === data.length ? data : rows;
}

/** The row with a number from 0 to count − 1. */
export function rowAt<T>({ kept, starts, count }: RowIndex<T>, at: number): T | undefined {
  if (at < 0 || at >= count) return undefined;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return kept[low]?.[at - (starts[low] ?? 0)];
}

/** The number of the row with an id; -1 when it is not among the rows read. */
export function positionOf<T>({ positions, count }: RowIndex<T>, id: string): number {
  const position = positions.get(id);
  return position !== undefined && position < count ? position : -1;
}
