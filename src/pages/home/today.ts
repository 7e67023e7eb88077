// What the list says of one day. Sums are exact, per asset and status, and never across assets.
import { isSearchText, withParams } from '#src/lib/searchParams.ts';
import { compareWords } from '#src/lib/text.ts';
import { boundsOfDays } from '#src/list/createdRange.ts';
import { createTotals, type Total } from '#src/export/totals.ts';
import { dateOf, isPlausibleTime, type Zone } from '#src/lib/time.ts';
import type { Recent } from './recentRows.ts';

/** A day of the person's zone; `end` is the next one's first second. */
export interface Day {
  date: string;
  start: number;
  end: number;
}

/** The day of a moment, also where it has 23 or 25 hours. */
export function dayOf(unix: number, zone: Zone): Day {
  const date = dateOf(unix, zone);
  const { created_after = unix - 1, created_before = unix + 1 } = boundsOfDays({ from: date, to: date }, zone);
  return { date, start: created_after + 1, end: created_before };
}

/** Rows of one status, and their sums per asset. */
export interface StatusSums {
  status: string | null;
  rows: number;
  totals: Total[];
}

export interface DaySums {
  /** The status of most rows first. */
  statuses: StatusSums[];
  rows: number;
  /** Rows read whose time is none: they are in no day. */
  timeless: number;
  /** Every row of the day was read. */
  whole: boolean;
}

/** What of the rows read was created on that day. */
export function sumDay(recent: Recent, day: Day): DaySums {
  const totals = createTotals();
  let rows = 0;
  let timeless = 0;
  for (const row of recent.rows) {
    if (!isPlausibleTime(row.created_at)) timeless += 1;
    else if (row.created_at >= day.start && row.created_at < day.end) {
      rows += 1;
      totals.add(row.asset, row.status, row.amount);
    }
  }
  const byStatus = new Map<string | null, StatusSums>();
  for (const total of totals.list()) {
    const sums = byStatus.get(total.status) ?? { status: total.status, rows: 0, totals: [] };
    byStatus.set(total.status, sums);
    sums.rows += total.rows;
    sums.totals.push(total);
  }
  return {
    statuses: [...byStatus.values()].sort((a, b) => b.rows - a.rows || compareWords(a.status, b.status)),
    rows,
    timeless,
    whole: recent.since === null || (recent.stop !== 'broken' && recent.since < day.start),
  };
}

interface Words {
  status?: string | null;
  asset?: string | null;
}

/** The search string of a list with those words and bounds; null where a word cannot be asked for. */
export function searchFor(
  words: Words,
  bounds: { created_after?: number; created_before?: number; order?: 'asc' },
): string | null {
  const { status, asset } = words;
  for (const word of [status, asset]) if (word === null || (word !== undefined && !isSearchText(word))) return null;
  return withParams(new URLSearchParams(), {
    status: status ?? undefined,
    asset: asset ?? undefined,
    ...bounds,
  }).toString();
}

/** The bounds under which the list shows that day. */
export function boundsOf({ start, end }: Day): { created_after: number; created_before: number } {
  return { created_after: start - 1, created_before: end };
}
