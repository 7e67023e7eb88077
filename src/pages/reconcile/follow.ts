import { LIMIT_MAX } from '#src/api/contract.ts';
import { walkPages } from '#src/api/paging.ts';
import type { Carried, ChangedRow, StatedRow } from '#src/api/statementContract.ts';
import { COMPLETED, type Reads, statedRow } from './reads.ts';

const FOLLOW_SECONDS = 30 * 86_400;
/** So many of one status are looked for in the list of that status first. */
const MANY = 20;
/** Requests of one look-up. */
const LOOK_UP = 2;

interface FollowOptions {
  /** Unix seconds by the service's clock. */
  asOf: number;
  signal: AbortSignal;
  onProgress: (left: number) => void;
}

/** What became of deposits that were not completed when they were stated: one change is told once. */
export async function follow(
  carried: readonly Carried[],
  seen: ReadonlyMap<string, StatedRow>,
  reads: Reads,
  { asOf, signal, onProgress }: FollowOptions,
): Promise<{ changed: ChangedRow[]; carried: Carried[]; givenUp: Carried[] }> {
  const changed: ChangedRow[] = [];
  const still: Carried[] = [];
  const givenUp: Carried[] = [];
  const known = new Map(seen);
  const unseen = carried.filter(({ id }) => !known.has(id));
  let left = unseen.length;
  for (const status of new Set(unseen.map((one) => one.status))) {
    const ids = new Set(unseen.filter((one) => one.status === status).map(({ id }) => id));
    if (status === null || ids.size < MANY) continue;
    // Ends after so many pages, and where the service does not keep to the status: the rest is looked up one by one.
    // One that left the status is in none of its pages, however long the list.
    await walkPages(
      (cursor) => reads.list({ status }, cursor, { limit: LIMIT_MAX, signal }),
      ({ data }) => {
        if (data.some((row) => row.status !== status)) return 'enough';
        for (const row of data.map(statedRow)) {
          if (!ids.delete(row.id)) continue;
          known.set(row.id, row);
          left -= 1;
        }
        onProgress(left);
        return ids.size === 0 ? 'enough' : undefined;
      },
      { signal, maxPages: ids.size * LOOK_UP },
    );
  }
  for (const one of carried) {
    let now = known.get(one.id);
    if (!now) {
      onProgress(left);
      const found = await reads.find(one.id, signal);
      signal.throwIfAborted();
      if (found.found) now = statedRow(found.row);
      left -= 1;
    }
    if (now && now.status !== one.status) {
      changed.push({ id: one.id, was: one.status, statement: one.statement, row: now });
      if (now.status !== COMPLETED) still.push({ ...one, status: now.status });
    } else if (asOf - one.since > FOLLOW_SECONDS) givenUp.push(one);
    else still.push(one);
  }
  return { changed, carried: still, givenUp };
}
