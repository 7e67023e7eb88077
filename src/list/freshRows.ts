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
  /** Rows of the list that read differently now. */
  changed: number;
}

/**
 * What a first page that was read again has that the list has not. An unseen row below the last known one is no news:
 * it moved up from the part of the list that nobody has read yet.
 */
export function countFresh<T extends { readonly id: string }>(
  index: RowIndex<T>,
  page: FreshPage<T>,
  known: (at: number) => T | undefined,
): FreshRows {
  let added = 0;
  let pending = 0;
  let changed = 0;
  let anyKnown = false;
  const ids = new Set<string>();
  for (const row of page.data) {
    if (ids.has(row.id)) continue;
    ids.add(row.id);
    const at = positionOf(index, row.id);
    if (at === -1) {
      pending += 1;
      continue;
    }
    anyKnown = true;
    added += pending;
    pending = 0;
    if (!sameRow(known(at), row)) changed += 1;
  }
  if (anyKnown) return { added, orMore: false, changed };
  return { added: pending, orMore: pending > 0 && page.has_more !== false && index.count > 0, changed: 0 };
}

function sameRow(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** "12 new deposits", "50 or more new deposits, 3 changed"; empty when there is nothing to say. */
export function describeFresh({ added, orMore, changed }: FreshRows, noun: { one: string; many: string }): string {
  const parts: string[] = [];
  if (added > 0) parts.push(`${added}${orMore ? ' or more' : ''} new ${added === 1 && !orMore ? noun.one : noun.many}`);
  if (changed > 0) parts.push(`${changed} changed`);
  return parts.join(', ');
}
