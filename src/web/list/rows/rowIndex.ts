import { isObject } from '#src/shared/answers.ts';

/** Whoever holds these holds rows that may be packed; whoever holds its array has them made (packedRows.ts). */
export interface RowsOf<T> {
  readonly data: readonly T[];
}

interface PageOfRows<T> extends RowsOf<T> {
  readonly malformed: readonly unknown[];
}

interface Identified {
  readonly id: string;
}

/** The rows of all pages read, found by number without ever making one array of them. */
export interface RowIndex<T> {
  readonly pages: readonly PageOfRows<T>[];
  /** Per page its rows that no earlier page had. */
  readonly kept: readonly RowsOf<T>[];
  /** Per page the number of its first row; prefix sums, because pages may come short. */
  readonly starts: readonly number[];
  readonly count: number;
  /** Rows left out because their id stands further up. */
  readonly repeated: number;
  /** Items that are no rows. */
  readonly malformed: number;
  /** Pages at the end that brought no row that was not there before. */
  readonly barren: number;
  readonly positions: Positions;
}

/** Row numbers by a hash of the id, for the ids are in the rows. May hold later rows of a longer list, and other ids' rows. */
type Positions = Map<number, readonly number[] | number>;

/** The rows whose id may be this one. */
function candidates(positions: Positions, id: string): readonly number[] {
  return [positions.get(hashOf(id)) ?? []].flat();
}

/** The first number at which the id stands; -1 when it is at none. */
function whereIs(positions: Positions, id: string, idAt: (at: number) => string | undefined): number {
  return candidates(positions, id).find((at) => idAt(at) === id) ?? -1;
}

/** Notes the row that a list ends with, in place of those that a longer one had from there on. */
function notePosition(positions: Positions, id: string, at: number): void {
  const others = candidates(positions, id).filter((other) => other < at);
  positions.set(hashOf(id), others.length === 0 ? at : [...others, at]);
}

/** FNV-1a, in the 30 bits that an engine keeps without an object. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 2;
}

/** What a page has in common with those that took its place, and how often it was renewed. */
const places = new WeakMap<object, { readonly of: object; readonly times: number }>();

function placeOf(page: object) {
  const place = places.get(page) ?? { of: {}, times: 0 };
  places.set(page, place);
  return place;
}

/** The page with rows as they were read later, in the place of the ones with their ids; itself when it has none of them. */
export function withNewer<T extends Identified, P extends PageOfRows<T>>(page: P, newer: ReadonlyMap<string, T>): P {
  if (!page.data.some(({ id }) => newer.has(id))) return page;
  const renewed = { ...page, data: page.data.map((row) => newer.get(row.id) ?? row) };
  const { of, times } = placeOf(page);
  places.set(renewed, { of, times: times + 1 });
  return renewed;
}

/**
 * A list with rows as they were read later. Only pages that may have them are looked at: those where the index has them,
 * and those not kept whole, for a row may come twice.
 */
export function renewRows<T extends Identified, L extends { readonly pages: readonly PageOfRows<T>[] }>(
  list: L,
  index: RowIndex<T>,
  newer: ReadonlyMap<string, T>,
): L {
  const has = new Set([...newer.keys()].map((id) => pageOf(index, positionOf(index, id))));
  const mayHave = (page: object, at: number): boolean => has.has(at) || index.kept[at] !== page;
  return { ...list, pages: list.pages.map((page, at) => (mayHave(page, at) ? withNewer(page, newer) : page)) };
}

interface Pages {
  readonly pages: readonly object[];
}

function hasPages(data: unknown): data is Pages {
  return isObject(data) && Array.isArray(data['pages']);
}

/** A list as it is now, for structuralSharing: a next page brings the others as they were when it was asked for. */
export function keepRenewed(before: unknown, now: unknown): unknown {
  if (!hasPages(before) || !hasPages(now)) return now;
  const latest = (page: object, at: number): object => {
    const [known, place] = [before.pages[at] ?? page, places.get(page)];
    const renewed = places.get(known);
    return renewed && renewed.of === place?.of && renewed.times > place.times ? known : page;
  };
  return { ...now, pages: now.pages.map(latest) };
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
    const place = placeOf(first).of;
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
    return now !== undefined && (now === page || placeOf(now).of === placeOf(page).of);
  });
}

/** The same rows in the same places, as these pages have them; only the pages that changed are looked at. */
function renewed<T extends Identified>(index: RowIndex<T>, pages: readonly PageOfRows<T>[]): RowIndex<T> {
  const kept = index.kept.map((rows, at) => {
    const page = pages[at];
    return page === undefined || page === index.pages[at] ? rows : keepSame(page, rows.data);
  });
  return { ...index, kept };
}

function keepSame<T extends Identified>(page: RowsOf<T>, kept: readonly T[]): RowsOf<T> {
  if (page.data.length === kept.length) return page;
  let next = 0;
  const data = page.data.filter(({ id }) => {
    if (id !== kept[next]?.id) return false;
    next += 1;
    return true;
  });
  return { data };
}

function grow<T extends Identified>(known: RowIndex<T>, pages: readonly PageOfRows<T>[]): RowIndex<T> {
  const kept = [...known.kept];
  const starts = [...known.starts];
  const index = { ...known, pages, kept, starts };
  for (const page of pages.slice(known.pages.length)) {
    const rows = keepNew(page, index);
    const { length } = rows.data;
    kept.push(rows);
    starts.push(index.count);
    index.count += length;
    index.repeated += page.data.length - length;
    index.malformed += page.malformed.length;
    index.barren = length === 0 ? index.barren + 1 : 0;
  }
  return index;
}

/** The rows of a page that stand nowhere in the index yet, noted as those that follow it. */
function keepNew<T extends Identified>(page: RowsOf<T>, index: RowIndex<T>): RowsOf<T> {
  const { data } = page;
  const { positions, count } = index;
  const rows: T[] = [];
  const idAt = (at: number) => (at < count ? rowAt(index, at) : rows[at - count])?.id;
  for (const row of data) {
    if (whereIs(positions, row.id, idAt) !== -1) continue;
    notePosition(positions, row.id, count + rows.length);
    rows.push(row);
  }
  // Nearly every page is kept whole.
  return rows.length === data.length ? page : { data: rows };
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
  return index.kept[page]?.data[at - (index.starts[page] ?? 0)];
}

/** The number of the row with an id; -1 when it is not among the rows read. */
export function positionOf<T extends Identified>(index: RowIndex<T>, id: string): number {
  return whereIs(index.positions, id, (at) => rowAt(index, at)?.id);
}

/**
 * Makes the index of the rows that belong to a list, of all that were loaded; a page costs its own rows, once. One that
 * was renewed keeps the rows it had, whatever they read like now: none moves or goes under the reader.
 */
export function rowKeeper<T extends { id: string }>(keep: (row: T) => boolean): (index: RowIndex<T>) => RowIndex<T> {
  let latest: { of: RowIndex<T>; index: RowIndex<T> } | null = null;
  return (of) => {
    if (latest?.of === of) return latest.index;
    const isGrown = latest?.of.positions === of.positions && latest.of.kept.length <= of.kept.length;
    // The rows of the pages before stand where they stood.
    const before = (isGrown && latest) || { of: emptyIndex<T>(), index: emptyIndex<T>() };
    const { positions } = before.index;
    const starts = [...before.index.starts];
    let { count, barren } = before.index;
    const kept = of.kept.map((rows, at) => {
      const known = before.index.kept[at];
      if (known) return rows === before.of.kept[at] ? known : keepSame(rows, known.data);
      const { data } = rows;
      const some = data.filter(keep);
      return some.length === data.length ? rows : { data: some };
    });
    for (const { data } of kept.slice(before.index.kept.length)) {
      starts.push(count);
      for (const [row, { id }] of data.entries()) notePosition(positions, id, count + row);
      count += data.length;
      barren = data.length === 0 ? barren + 1 : 0;
    }
    const index = { ...of, kept, starts, count, barren, positions };
    latest = { of, index };
    return index;
  };
}
