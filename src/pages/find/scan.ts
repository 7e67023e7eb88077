import { isNotOffered } from '#src/api/errors.ts';
import { LIMIT_MAX, type ListFilters } from '#src/api/contract.ts';
import { listDeposits, listWithdrawals } from '#src/api/lists.ts';
import { type Page, walkPages, type PageOptions } from '#src/api/paging/paging.ts';
import { isObject } from '#src/lib/answers.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import type { Payment, PaymentList } from './match.ts';

interface ScannedRow {
  readonly id: string;
  readonly created_at?: unknown;
}

export interface Covered {
  list: PaymentList;
  rows: number;
  /** Unix seconds of the oldest row; null before one with a time. */
  oldest: number | null;
  /** all: to its end; not-offered: there is none, as the provider answers; broken: its paging cannot be followed. */
  end: 'more' | 'all' | 'not-offered' | 'broken';
  cursor: string | undefined;
  /** Whether a row had anything like a hash or an address. */
  carriesHashes: boolean;
  carriesAddresses: boolean;
}

export interface Scan {
  matches: readonly Payment[];
  covered: readonly Covered[];
}

type ReadList = (filters: ListFilters, cursor: string | null, options: PageOptions) => Promise<Page<ScannedRow>>;
const LISTS: Record<PaymentList, ReadList> = { deposits: listDeposits, withdrawals: listWithdrawals };

export function newScan(lists: readonly PaymentList[]): Scan {
  const nothing = { rows: 0, oldest: null, end: 'more' as const, cursor: undefined };
  const none = { carriesHashes: false, carriesAddresses: false };
  return { matches: [], covered: lists.map((list) => ({ list, ...nothing, ...none })) };
}

/** Searches both lists side by side, newest first, to their ends; throws what a read throws. */
export async function scanOn(
  from: Scan,
  { account, filters, match }: ScanOf,
  signal: AbortSignal,
  onProgress: (scan: Scan) => void,
): Promise<void> {
  let scan = from;
  const show = (covered: Covered, found: readonly Payment[] = []): void => {
    const others = scan.covered.map((each) => (each.list === covered.list ? covered : each));
    scan = { matches: [...scan.matches, ...found], covered: others };
    onProgress(scan);
  };
  const through = async (start: Covered): Promise<void> => {
    const { list } = start;
    let covered = start;
    const fetchPage = (cursor: string | null) => LISTS[list](filters, cursor, { account, limit: LIMIT_MAX, signal });
    const onPage = (page: Page<ScannedRow>): undefined => {
      covered = further(covered, page);
      show(
        covered,
        page.data.flatMap((row) => match(list, row) ?? []),
      );
    };
    try {
      const end = await walkPages(fetchPage, onPage, { signal, startAfter: start.cursor, ahead: true });
      show({ ...covered, end: end.kind === 'broken' ? 'broken' : 'all' });
    } catch (error) {
      if (!isNotOffered(error)) throw error;
      show({ ...covered, end: 'not-offered' });
    }
  };
  await Promise.all(from.covered.filter(({ end }) => end === 'more').map(through));
}

export interface ScanOf {
  account: string;
  filters: ListFilters;
  match: (list: PaymentList, row: unknown) => Payment | null;
}

function further(covered: Covered, page: Page<ScannedRow>): Covered {
  const times = page.data.map(({ created_at: at }) => at).filter(isPlausibleTime);
  return {
    ...covered,
    rows: covered.rows + page.data.length + page.malformed.length,
    oldest: times.at(-1) ?? covered.oldest,
    cursor: page.next_cursor ?? covered.cursor,
    carriesHashes: covered.carriesHashes || page.data.some((row) => carries(row, /hash|address|tx/i)),
    carriesAddresses: covered.carriesAddresses || page.data.some((row) => carries(row, /address/i)),
  };
}

function carries(row: unknown, what: RegExp): boolean {
  return isObject(row) && Object.entries(row).some(([name, value]) => what.test(name) && value !== null);
}
