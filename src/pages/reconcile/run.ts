import { type ListFilters, LIMIT_MAX } from '#src/api/contract.ts';
import { assertFollowed, walkPages } from '#src/api/paging.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { createTotals } from '#src/export/totals.ts';
import type { Book, Carried, ChangedRow, Place, StatedRow, StatedTotal } from '#src/api/statementContract.ts';
import type { Base } from './base.ts';
import { follow } from './follow.ts';
import { COMPLETED, type Reads, statedRow } from './reads.ts';

/** Only deposits older than this by the service's clock are stated: younger ones may still be joined by others. */
export const SETTLE_SECONDS = 120;
/** A run that cannot go on; `message` says why. Nothing was stated. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
}

/** What a run found; nothing of it is stated before the checkpoint is set. */
export interface Found {
  /** Unix seconds by the service's clock when the run began. */
  asOf: number;
  fresh: StatedRow[];
  late: StatedRow[];
  /** Exact sums of what is new, late ones included, per asset and status. */
  totals: StatedTotal[];
  changed: ChangedRow[];
  /** Too young to be stated. */
  young: number;
  /** Items of the list without an id, which cannot be stated. */
  malformed: number;
  /** Stated before, and not found again where they stood. */
  missing: StatedRow[];
  /** Where the next run begins: the last deposit old enough. */
  last: Place | null;
  /** Still not completed, from this run on. */
  carried: Carried[];
  givenUp: Carried[];
}

export interface RunProgress {
  rows: number;
  /** created_at of the last row read, Unix seconds. */
  reached: number | null;
  /** Deposits of earlier statements being looked up, and how many are left. */
  following: number;
}

/** Reads what came since the checkpoint; throws RunStopped, or what a read throws. */
export async function run(
  book: Pick<Book, 'since' | 'statements'>,
  base: Base,
  reads: Reads,
  signal: AbortSignal,
  onProgress: (progress: RunProgress) => void,
): Promise<Found> {
  const seen = new Map<string, StatedRow>();
  const fresh: StatedRow[] = [];
  const late: StatedRow[] = [];
  const totals = createTotals();
  const state = {
    asOf: null as number | null,
    young: 0,
    malformed: 0,
    last: base.last,
    passed: base.last === null,
    reached: null as number | null,
  };

  /** Takes a row and says whether it is too young to be stated. */
  const take = (row: StatedRow, asOf: number): boolean => {
    if (seen.has(row.id) || isBefore(row, book.since)) return false;
    checkPlace(row, base.start);
    if (isYoung(row, asOf)) return true;
    seen.set(row.id, row);
    state.last = placeOf(row, state.last);
    if (isPlausibleTime(row.created_at)) state.reached = row.created_at;
    if (base.stated.has(row.id)) state.passed ||= row.id === base.last?.id;
    else {
      (state.passed ? fresh : late).push(row);
      totals.add(row.asset, row.status, row.received_amount);
    }
    return false;
  };

  // Whether a bound of time includes itself is not stated: one second more is asked for, and dropped again.
  const filters: ListFilters = { order: 'asc', ...(book.since !== null && { created_after: book.since - 1 }) };
  const end = await walkPages(
    (cursor) => reads.list(filters, cursor, { limit: LIMIT_MAX, signal }),
    ({ data, malformed, date }) => {
      const asOf = (state.asOf ??= date);
      if (asOf === null) throw new RunStopped('The service states no time, so nothing can be called old enough.');
      const young = data.filter((row) => take(statedRow(row), asOf)).length;
      state.malformed += malformed.length;
      state.young += young;
      onProgress({ rows: seen.size, reached: state.reached, following: 0 });
      return young > 0 && young === data.length ? 'enough' : undefined;
    },
    { signal, startAfter: base.start?.id },
  );
  assertFollowed(end);
  const { asOf, young, malformed, last, passed, reached } = state;
  if (asOf === null) throw new RunStopped('The service gave no page.');
  if (base.last !== null && !passed) {
    throw new RunStopped(
      `The last deposit stated, ${base.last.id}, was not found again. Nothing is stated from a place that is not there.`,
    );
  }
  const onFollow = (following: number): void => onProgress({ rows: seen.size, reached, following });
  const followed = await follow(base.carried, seen, reads, { asOf, signal, onProgress: onFollow });
  const missing = [...base.stated.values()].filter(({ id }) => id !== base.start?.id && !seen.has(id));
  const number = book.statements + 1;
  const open = [...fresh, ...late].filter(({ status }) => status !== COMPLETED);
  const carriedNow = open.map(({ id, status }) => ({ id, status, statement: number, since: asOf }));
  return {
    asOf,
    fresh,
    late,
    totals: totals.list(),
    changed: followed.changed,
    young,
    malformed,
    missing,
    last,
    carried: [...followed.carried, ...carriedNow],
    givenUp: followed.givenUp,
  };
}

function isYoung({ created_at: at }: StatedRow, asOf: number): boolean {
  return isPlausibleTime(at) && at > asOf - SETTLE_SECONDS;
}

function isBefore({ created_at: at }: StatedRow, since: number | null): boolean {
  return since !== null && isPlausibleTime(at) && at < since;
}

/** A service that begins elsewhere than it was asked to would make everything look late. */
function checkPlace({ created_at: at, id }: StatedRow, start: Place | null): void {
  if (start === null || start.created_at === null) return;
  if (id === start.id || (isPlausibleTime(at) && at < start.created_at)) {
    throw new RunStopped('The service did not begin after the deposit that it was asked to begin after.');
  }
}

function placeOf({ id, created_at: at }: StatedRow, before: Place | null): Place {
  return { id, created_at: isPlausibleTime(at) ? at : (before?.created_at ?? null) };
}
