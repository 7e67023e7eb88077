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

/** What a page and those that took its place have in common. */
const places = new WeakMap<object, object>();

function placeOf(page: object): object {
  const place = places.get(page) ?? {};
  places.set(page, place);
  return place;
}

/** The page with rows as they were read later, in the place of the ones with their ids; itself when it has none of them. */
export function withNewer<T extends Identified, P extends PageOfRows<T>>(page: P, newer: ReadonlyMap<string, T>): P {
  if (!page.data.some(({ id }) => newer.has(id))) return page;
  const renewed = { ...page, data: page.data.map((row) => newer.get(row.id) ?? row) };
  places.set(renewed, placeOf(page));
  return renewed;
}

/**
 * Makes the index of a list's pages; the same object while the pages are the same. It remembers the index last made for
 * a list, by the list's first page, so that appending a page, or renewing rows of one, costs that page and not the list.
 */
export function rowIndexer<T extends Identified>(): (pages: readonly PageOfRows<T>[]) => RowIndex<T> {
  const latest = new WeakMap<object, RowIndex<T>>();
  return (pages) => {
    const [first] = pages;
    if (!first) return emptyIndex();
    const place = placeOf(first);
    const known = latest.get(place);
    if (known && known.pages.length === pages.length && known.pages.every((page, at) => page === pages[at]))
      return known;
    const index = grow(known && isStartOf(known, pages) ? renewed(known, pages) : emptyIndex<T>(), pages);
    latest.set(place, index);
    return index;
  };
}

function emptyIndex<T>(): RowIndex<T> {
  return { pages: [], kept: [], starts: [], count: 0, repeated: 0, malformed: 0, barren: 0, positions: new Map() };
}

function isStartOf<T>(index: RowIndex<T>, pages: readonly PageOfRows<T>[]): boolean {
  if (index.pages.length > pages.length) return false;
  return index.pages.every((page, at) => {
    const now = pages[at];
    return now !== undefined && (now === page || placeOf(now) === placeOf(page));
  });
}

/** The same rows in the same places, as these pages have them; only the pages that changed are looked at. */
function renewed<T extends Identified>(index: RowIndex<T>, pages: readonly PageOfRows<T>[]): RowIndex<T> {
  const kept = index.kept.map((rows, at) => {
    const page = pages[at];
    return page === undefined || page === index.pages[at] ? rows : keepSame(page.data, rows);
  });
  return { ...index, kept };
}

function keepSame<T extends Identified>(data: readonly T[], kept: readonly T[]): readonly T[] {
  if (data.length === kept.length) return data;
  let next = 0;
  return data.filter(({ id }) => {
    if (id !== kept[next]?.id) return false;
    next += 1;
    return true;
  });
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

/** The number of the page that has a row. */
export function pageOf({ starts }: RowIndex<unknown>, at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The row with a number from 0 to count − 1. */
export function rowAt<T>(index: RowIndex<T>, at: number): T | undefined {
  if (at < 0 || at >= index.count) return undefined;
  const page = pageOf(index, at);
  return index.kept[page]?.[at - (index.starts[page] ?? 0)];
}

/** The number of the row with an id; -1 when it is not among the rows read. */
export function positionOf<T>({ positions, count }: RowIndex<T>, id: string): number {
  const position = positions.get(id);
  return position !== undefined && position < count ? position : -1;
}

/** Makes the index of the rows that belong to a list, of all that were loaded; a page costs its own rows, once. */
export function rowKeeper<T extends { id: string }>(keep: (row: T) => boolean): (index: RowIndex<T>) => RowIndex<T> {
  const byPage = new WeakMap<readonly T[], readonly T[]>();
  let latest: { of: RowIndex<T>; index: RowIndex<T> } | null = null;
  const keptOf = (rows: readonly T[]): readonly T[] => {
    const known = byPage.get(rows);
    if (known) return known;
    const some = rows.filter(keep);
    const kept = some.length === rows.length ? rows : some;
    byPage.set(rows, kept);
    return kept;
  };
  return (of) => {
    if (latest?.of === of) return latest.index;
    const kept = of.kept.map(keptOf);
    const same = latest?.of.positions === of.positions && standsAs(latest.index.kept, kept);
    const before = same ? latest?.index : undefined;
    const positions = before?.positions ?? new Map<string, number>();
    const starts: number[] = [];
    let [count, barren] = [0, 0];
    for (const [at, rows] of kept.entries()) {
      starts.push(count);
      if (at >= (before?.kept.length ?? 0)) for (const [row, { id }] of rows.entries()) positions.set(id, count + row);
      count += rows.length;
      barren = rows.length === 0 ? barren + 1 : 0;
    }
    const index = { ...of, kept, starts, count, barren, positions };
    latest = { of, index };
    return index;
  };
}

/** Whether the rows stand where they stood, renewed or not. */
function standsAs(
  before: readonly (readonly { id: string }[])[],
  now: readonly (readonly { id: string }[])[],
): boolean {
  return before.every((rows, page) => {
    const here = now[page];
    return here === rows || (here?.length === rows.length && rows.every(({ id }, at) => here[at]?.id === id));
  });
}
