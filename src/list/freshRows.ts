import type { Noun } from '#src/lib/count.ts';
import { positionOf, type RowIndex } from './rowIndex.ts';

interface FreshPage<T> {
  readonly data: readonly T[];
  readonly has_more: boolean | null;
}

export interface FreshRows {
  /** Rows that the list does not show yet. */
  added: number;
  /** Not one row of the page is known, so there may be more of them behind it. */
  orMore: boolean;
}

/**
 * What a first page that was read again has that the list has not. An unseen row below the last known one is no news:
 * it moved up from the part of the list that nobody has read yet.
 */
export function countFresh<T extends { readonly id: string }>(index: RowIndex<T>, page: FreshPage<T>): FreshRows {
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
export function describeNews({ added, orMore }: FreshRows, left: number, noun: Noun): string {
  const parts: string[] = [];
  if (added > 0) parts.push(`${added}${orMore ? ' or more' : ''} new ${added === 1 && !orMore ? noun.one : noun.many}`);
  if (left > 0) parts.push(`${left} no longer in this filter`);
  return parts.join(', ');
}

/** "1 deposit changed", for rows that read differently now and stand where they stood. */
export function describeChanged(rows: number, noun: Noun): string {
  return `${rows} ${rows === 1 ? noun.one : noun.many} changed`;
}
