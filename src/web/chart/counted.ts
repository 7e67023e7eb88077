import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { type Page, walkPages, type PageOptions } from '#src/web/api/paging/paging.ts';
import { nextStep } from '#src/shared/paging/nextStep.ts';
import { addressKey, type ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { compareAmounts, isAmount } from '#src/shared/amount.ts';
import { add, subtract } from '#src/shared/money.ts';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import type { DayRange } from '#src/shared/createdRange.ts';
import { isPlausibleTime, type Zone } from '#src/shared/time.ts';
import { dayFinder } from '#src/shared/overview/balanceLine.ts';

export interface CountableRow {
  readonly id: string;
  readonly status?: unknown;
  readonly asset: string | null;
  readonly created_at?: unknown;
}

export interface Tally {
  rows: number;
  /** Exact sum of the readable amounts, whatever the rows' status. */
  sum: string;
  /** Rows whose amount is no decimal string; not in the sum. */
  unreadable: number;
  /** Completed rows, or those with the status that the list is filtered by. */
  done: CountedPart;
  failed: CountedPart;
  largest: { id: string; amount: string; at: number } | null;
}

export interface CountedPart {
  rows: number;
  sum: string;
}

/** By asset; the empty string stands for rows without one. */
type AssetTallies = ReadonlyMap<string, Tally>;

/** The rows that went to one address, on any day. */
export interface RecipientTally extends ChainAddress {
  byAsset: AssetTallies;
}

export const NO_PART: CountedPart = { rows: 0, sum: '0' };
export const NO_TALLY: Tally = { rows: 0, sum: '0', unreadable: 0, done: NO_PART, failed: NO_PART, largest: null };

/** `hasStatusFilter`: the list is filtered by the row's status, so the row counts as done. */
function withRow(
  tally: Tally,
  { id, status, created_at: at }: CountableRow,
  amount: unknown,
  hasStatusFilter: boolean,
): Tally {
  const readable = isAmount(amount) ? amount : '0';
  const more = ({ rows, sum }: CountedPart): CountedPart => ({ rows: rows + 1, sum: add(sum, readable) });
  const tone = toneOf(typeof status === 'string' ? status : null);
  const isDone = hasStatusFilter || tone === 'proof';
  const failed = !isDone && tone === 'alarm';
  const isLargest = isDone && isAmount(amount) && compareAmounts(amount, tally.largest?.amount ?? '0') > 0;
  return {
    rows: tally.rows + 1,
    sum: add(tally.sum, readable),
    unreadable: tally.unreadable + (isAmount(amount) ? 0 : 1),
    done: isDone ? more(tally.done) : tally.done,
    failed: failed ? more(tally.failed) : tally.failed,
    largest: isLargest && isPlausibleTime(at) ? { id, amount, at } : tally.largest,
  };
}

/** The rows that are neither done nor failed. */
export function motionIn({ rows, sum, done, failed }: Tally): CountedPart {
  return { rows: rows - done.rows - failed.rows, sum: subtract(subtract(sum, done.sum), failed.sum) };
}

function joined(one: Tally, other: Tally): Tally {
  const both = (a: CountedPart, b: CountedPart): CountedPart => ({ rows: a.rows + b.rows, sum: add(a.sum, b.sum) });
  const isLarger = compareAmounts(other.largest?.amount ?? '0', one.largest?.amount ?? '0') > 0;
  return {
    ...both(one, other),
    unreadable: one.unreadable + other.unreadable,
    done: both(one.done, other.done),
    failed: both(one.failed, other.failed),
    largest: isLarger ? other.largest : one.largest,
  };
}

/** The rows of a list counted by day, as far as the list was read: newest first, whatever the order of the list on screen. */
export type Counted = ReturnType<typeof newCount>;

export function newCount(filters: PageFilters, zone: Zone) {
  return {
    filters,
    zone,
    /** Has no entry for days without rows. */
    days: new Map() as ReadonlyMap<string, AssetTallies>,
    /** The same rows by address; empty for a list whose rows have no recipient. */
    recipients: new Map() as ReadonlyMap<string, RecipientTally>,
    /** All rows read, those without a time included. */
    rows: 0,
    /** Rows whose created_at is not a time, so that they belong to no day. */
    untimed: 0,
    /** Rows that came a second time; counted once. */
    repeated: 0,
    /** Items without an id, not counted. */
    malformed: 0,
    pages: 0,
    /** The oldest day read so far; null before the first row with a time. */
    reached: null as string | null,
    /** The day of the list's oldest row; null if that has no time, undefined until it was requested. */
    far: undefined as string | null | undefined,
    end: 'more' as 'more' | 'all' | 'broken',
    reason: null as string | null,
    cursor: undefined as string | undefined,
    /** Unix seconds of the first page, by the service's clock if known: nothing newer is counted. */
    asOf: null as number | null,
    /** Ids counted so far, while there is more to read. All states of one count share this set, which only grows. */
    ids: new Set<string>(),
  };
}

/** The count with one more page; `dayOf` returns the day of a time in the count's zone. */
function withPage(
  counted: Counted,
  page: Page<CountableRow>,
  dayOf: (unix: number) => string,
  source: Pick<Countable, 'amountOf' | 'recipientOf'>,
): Counted {
  const days = new Map(counted.days);
  const recipients = new Map(counted.recipients);
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
    const hasStatusFilter = counted.filters.status !== undefined;
    const amount = source.amountOf(row);
    day.set(asset ?? '', withRow(day.get(asset ?? '') ?? NO_TALLY, row, amount, hasStatusFilter));
    const recipient = source.recipientOf?.(row);
    if (recipient) {
      const key = addressKey(recipient);
      const byAsset = recipients.get(key)?.byAsset ?? new Map<string, Tally>();
      const tally = withRow(byAsset.get(asset ?? '') ?? NO_TALLY, row, amount, hasStatusFilter);
      recipients.set(key, { ...recipient, byAsset: new Map(byAsset).set(asset ?? '', tally) });
    }
  }
  const step = nextStep(page, { used: [] });
  return {
    ...counted,
    days,
    recipients,
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

/** The tally of one asset (null: all) over these days. With several assets only the numbers of rows have a meaning. */
export function tallyOf({ days }: Counted, asset: string | null, { from, to }: DayRange): Tally {
  let whole = NO_TALLY;
  for (const [day, byAsset] of days) {
    if (day < from || day > to) continue;
    for (const [each, tally] of byAsset) if (asset === null || each === asset) whole = joined(whole, tally);
  }
  return whole;
}

type ReadRows = (filters: PageFilters, cursor: string | null, options: PageOptions) => Promise<Page<CountableRow>>;

export interface Countable {
  readPage: ReadRows;
  /** Whether a row counts; the service does not apply all filters. */
  keeps(row: CountableRow): boolean;
  amountOf(row: CountableRow): unknown;
  /** The address that the row paid; absent if the list's rows have no recipient. */
  recipientOf?(row: CountableRow): ChainAddress | null;
}

/** Counts `pages` more pages, and reports each. Throws the error of a read, or the signal's reason. */
export async function countOn(
  from: Counted,
  pages: number,
  source: Countable,
  signal: AbortSignal,
  onProgress: (counted: Counted) => void,
): Promise<void> {
  const dayOf = dayFinder(from.zone);
  const { readPage } = source;
  let counted = from;
  const report = (next: Counted): void => {
    counted = next;
    onProgress(next);
  };
  const end = await walkPages(
    (cursor) => readPage(from.filters, cursor, { limit: LIMIT_MAX, signal }),
    async (page): Promise<undefined> => {
      const data = page.data.filter((row) => source.keeps(row));
      report(withPage(counted, { ...page, data }, dayOf, source));
      // Find the oldest day first, so that the chart has room for the days that aren't read yet.
      if (counted.end === 'more' && counted.far === undefined)
        report({ ...counted, far: await farDay(from, readPage, dayOf, signal) });
    },
    { signal, startAfter: from.cursor, maxPages: pages, ahead: true },
  );
  if (end.kind === 'broken') report({ ...counted, end: 'broken', reason: end.reason, ids: new Set() });
}

async function farDay(
  { filters }: Counted,
  readPage: ReadRows,
  dayOf: (unix: number) => string,
  signal: AbortSignal,
): Promise<string | null> {
  const { data } = await readPage({ ...filters, order: 'asc' }, null, { limit: 1, signal });
  signal.throwIfAborted();
  const at = data[0]?.created_at;
  return isPlausibleTime(at) ? dayOf(at) : null;
}
