import type { Noun } from '#src/shared/text.ts';
import { positionOf, type RowIndex, rowAt } from './rows/rowIndex.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';

interface FreshPage<T> {
  readonly data: readonly T[];
  readonly has_more: boolean | null;
}

export interface NewRowCount {
  /** Rows that the list does not show yet. */
  added: number;
  /** The list has no row of the page, so more new rows may follow the page. */
  orMore: boolean;
}

/**
 * Counts the new rows of a first page that was read again. A row below the last known one is not new: it moved up from the
 * part of the list that is not loaded yet.
 */
export function countNew<T extends { readonly id: string }>(index: RowIndex<T>, page: FreshPage<T>): NewRowCount {
  let added = 0;
  let pending = 0;
  let anyKnown = false;
  const ids = new Set<string>();
  for (const row of page.data) {
    if (ids.has(row.id)) continue;
    ids.add(row.id);
    if (positionOf(index, row.id) === -1) {
      pending += 1;
      continue;
    }
    anyKnown = true;
    added += pending;
    pending = 0;
  }
  if (anyKnown) return { added, orMore: false };
  return { added: pending, orMore: pending > 0 && page.has_more !== false && index.count > 0 };
}

/** "12 new deposits", "50 or more new deposits, 3 no longer in this filter"; empty when there is nothing to say. */
export function describeNews({ added, orMore }: NewRowCount, left: number, noun: Noun): string {
  const parts: string[] = [];
  if (added > 0) parts.push(`${added}${orMore ? ' or more' : ''} new ${added === 1 && !orMore ? noun.one : noun.many}`);
  if (left > 0) parts.push(`${left} no longer in this filter`);
  return parts.join(', ');
}

/** "1 deposit changed", for rows updated in their place. */
export function describeChanged(rows: number, noun: Noun): string {
  return `${rows} ${rows === 1 ? noun.one : noun.many} changed`;
}

/**
 * Compares a page that was read again with the list; its rows start at number `start`. `changed`: rows that differ, by
 * id; `left`: ids of the list's rows that the page should have, but doesn't.
 */
export function diffPages<T extends { readonly id: string }>(index: RowIndex<T>, page: FreshPage<T>, start: number) {
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
  // Rows past the page's last one may be on the next page, unless this page ends the list.
  const end = page.has_more === false ? index.count - 1 : last;
  for (let at = start; at <= end; at += 1) {
    const row = rowAt(index, at);
    if (row && !there.has(row.id)) left.push(row.id);
  }
  return { changed, left };
}

export function sameRow(one: unknown, other: unknown): boolean {
  return one === other || stringifyExact(one) === stringifyExact(other);
}
