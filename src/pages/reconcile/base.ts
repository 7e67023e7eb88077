import type { StatementRows } from '#src/api/statements.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import type { Book, Carried, Place, StatedRow } from '#src/api/statementContract.ts';

/** A run begins at a stated deposit about so long before the checkpoint; seconds. */
export const OVERLAP_SECONDS = 3600;

/** What a run stands on: where it begins, and what is stated from there on. */
export interface Base {
  /** The last deposit stated; null: nothing was. */
  last: Place | null;
  /** Sent as starting_after; null: from the list's beginning. */
  start: Place | null;
  /** Stated from `start` on, by id. */
  stated: ReadonlyMap<string, StatedRow>;
  /** Followed since the last statement. */
  carried: readonly Carried[];
}

/** Reads statements, the newest first, back to one that holds the deposit where a run begins. */
export async function baseOf(
  book: Pick<Book, 'last'>,
  statements: AsyncIterable<Pick<StatementRows, 'fresh' | 'late' | 'carried'>>,
): Promise<Base> {
  const { last } = book;
  const stated = new Map<string, StatedRow>();
  if (last === null) return { last, start: null, stated, carried: [] };
  let followed: readonly Carried[] | null = null;
  const until = last.created_at === null ? null : last.created_at - OVERLAP_SECONDS;
  for await (const { fresh, late, carried } of statements) {
    followed ??= carried;
    for (const row of [...fresh, ...late]) stated.set(row.id, row);
    const start = latestUpTo(fresh, until);
    if (start !== null) return { last, start, stated: from(stated, start), carried: followed };
  }
  return { last, start: null, stated, carried: followed ?? [] };
}

function latestUpTo(rows: readonly StatedRow[], until: number | null): Place | null {
  if (until === null) return null;
  const row = rows.findLast(({ created_at: at }) => isPlausibleTime(at) && at <= until);
  return row && isPlausibleTime(row.created_at) ? { id: row.id, created_at: row.created_at } : null;
}

/** Without those that are surely before the place; one without a readable time may be after it. */
function from(stated: Map<string, StatedRow>, { created_at: start }: Place): Map<string, StatedRow> {
  const kept = [...stated].filter(([, { created_at: at }]) => !isPlausibleTime(at) || start === null || at >= start);
  return new Map(kept);
}
