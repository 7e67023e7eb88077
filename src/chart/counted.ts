import { type Page, nextStep } from '#src/api/paging.ts';
import { isAmount } from '#src/lib/amount.ts';
import { add } from '#src/lib/money.ts';
import type { PageFilters } from '#src/list/filters/listFilters.tsx';
import { isPlausibleTime, type Zone } from '#src/lib/time.ts';

export interface CountableRow {
  readonly id: string;
  readonly asset: string | null;
  readonly created_at?: unknown;
}

/** Rows of one day and asset. */
export interface Tally {
  rows: number;
  /** Exact, of the rows whose amount can be read, whatever their status. */
  sum: string;
  /** Rows whose amount is no decimal string; not in the sum. */
  unreadable: number;
}

/** By asset; the empty text stands for none stated. */
type AssetTallies = ReadonlyMap<string, Tally>;

const NONE: Tally = { rows: 0, sum: '0', unreadable: 0 };

function withAmount({ rows, sum, unreadable }: Tally, amount: unknown): Tally {
  return isAmount(amount)
    ? { rows: rows + 1, sum: add(sum, amount), unreadable }
    : { rows: rows + 1, sum, unreadable: unreadable + 1 };
}

/** How many rows of a list each day has, as far as it was read: newest first, whatever the order of the list on screen. */
export interface Counted {
  filters: PageFilters;
  zone: Zone;
  /** Days without a row are not in it. */
  days: ReadonlyMap<string, AssetTallies>;
  /** All rows read, those without a time included. */
  rows: number;
  /** Rows whose created_at is no time: of no day. */
  untimed: number;
  /** Rows that came a second time; counted once. */
  repeated: number;
  /** Items without an id, not counted. */
  malformed: number;
  pages: number;
  /** The day that reading has come to; null before a row with a time. */
  reached: string | null;
  /** The day of the row at the far end; null where that has no time, undefined before it was asked for. */
  far: string | null | undefined;
  end: 'more' | 'all' | 'broken';
  /** Why the paging could not be followed. */
  reason: string | null;
  /** Where reading goes on. */
  cursor: string | undefined;
  /** Unix seconds of the first page, by the service's clock where it says: nothing newer is counted. */
  asOf: number | null;
  /** Ids counted while there is more to read. Shared by the states of one count, which only grow. */
  ids: Set<string>;
}

export function newCount(filters: PageFilters, zone: Zone): Counted {
  return {
    filters,
    zone,
    days: new Map(),
    rows: 0,
    untimed: 0,
    repeated: 0,
    malformed: 0,
    pages: 0,
    reached: null,
    far: undefined,
    end: 'more',
    reason: null,
    cursor: undefined,
    asOf: null,
    ids: new Set(),
  };
}

/** The count with one more page; `dayOf` tells the day of a moment in the count's zone. */
export function withPage(
  counted: Counted,
  page: Page<CountableRow>,
  dayOf: (unix: number) => string,
  amountOf: (row: CountableRow) => unknown,
): Counted {
  const days = new Map(counted.days);
  /** Days of this page, copied before they change. */
  const touched = new Map<string, Map<string, Tally>>();
  let { rows, untimed, repeated, reached } = counted;
  for (const row of page.data) {
    const { id, asset, created_at: at } = row;
    if (counted.ids.has(id)) {
      repeated += 1;
      continue;
    }
    counted.ids.add(id);
    rows += 1;
    if (!isPlausibleTime(at)) {
      untimed += 1;
      continue;
    }
    reached = dayOf(at);
    let day = touched.get(reached);
    if (!day) {
      day = new Map(days.get(reached));
      touched.set(reached, day);
      days.set(reached, day);
    }
    day.set(asset ?? '', withAmount(day.get(asset ?? '') ?? NONE, amountOf(row)));
  }
  const step = nextStep(page, []);
  return {
    ...counted,
    days,
    rows,
    untimed,
    repeated,
    reached,
    malformed: counted.malformed + page.malformed.length,
    pages: counted.pages + 1,
    end: step.kind === 'end' ? 'all' : counted.end,
    cursor: page.next_cursor ?? counted.cursor,
    asOf: counted.asOf ?? page.date ?? page.readAt,
    ids: step.kind === 'end' ? new Set() : counted.ids,
  };
}
