import { stringifyExact } from '#src/lib/exactJson.ts';
import { positionOf, type RowIndex, rowAt } from './rowIndex.ts';

interface PageAgain<T> {
  readonly data: readonly T[];
  readonly has_more: boolean | null;
}

/** What a page of a list that was read again says of the rows that the list has. */
export interface PageNews<T> {
  /** Rows that read differently now, by id. */
  changed: ReadonlyMap<string, T>;
  /** Ids of rows that belong between those of the page and are not there. */
  left: readonly string[];
}

/** Compares a page that was read again with the list; its rows come after the row number `start` − 1. */
export function pageNews<T extends { readonly id: string }>(
  index: RowIndex<T>,
  page: PageAgain<T>,
  start: number,
): PageNews<T> {
  const changed = new Map<string, T>();
  const there = new Set<string>();
  let last = start - 1;
  for (const row of page.data) {
    if (there.has(row.id)) continue;
    there.add(row.id);
    const at = positionOf(index, row.id);
    if (at === -1) continue;
    last = Math.max(last, at);
    if (!sameRow(rowAt(index, at), row)) changed.set(row.id, row);
  }
  const left: string[] = [];
  // Past its last known row the page says nothing, unless it is the list's last.
  const end = page.has_more === false ? index.count - 1 : last;
  for (let at = start; at <= end; at += 1) {
    const row = rowAt(index, at);
    if (row && !there.has(row.id)) left.push(row.id);
  }
  return { changed, left };
}

function sameRow(one: unknown, other: unknown): boolean {
  return one === other || stringifyExact(one) === stringifyExact(other);
}
