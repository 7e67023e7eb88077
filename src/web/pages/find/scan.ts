import { oldestTime } from '#src/shared/time.ts';
import { isNotOffered, saysNotFound } from '#src/web/api/errors.ts';
import { LIMIT_MAX, type ListFilters } from '#src/shared/contract/contract.ts';
import { listDeposits, listWithdrawals } from '#src/web/api/listQueries.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type Page, walkPages } from '#src/web/api/paging/paging.ts';
import type { DepositRow, WithdrawalRow } from '#src/shared/contract/rows.ts';
import type { FoundPayment } from './match.ts';

export type ScannedRow = DepositRow | WithdrawalRow;

export interface Covered {
  kind: PaymentKind;
  rows: number;
  /** Time of the oldest row, Unix seconds; null while no row has one. */
  oldest: number | null;
  /** all: read to the end. not-offered: the provider has no such list. broken: its paging can't be followed. */
  end: 'more' | 'all' | 'not-offered' | 'broken';
  cursor: string | undefined;
  /** Rows that could not be compared with what is wanted: without an ID, or without a readable amount or time. */
  unsearchable: number;
  /** Whether any row had a hash or an address. */
  carriesHashes: boolean;
  carriesAddresses: boolean;
}

export interface Scan {
  matches: readonly FoundPayment[];
  covered: readonly Covered[];
}

const READ = { deposit: listDeposits, withdrawal: listWithdrawals };

export function newScan(kinds: readonly PaymentKind[]): Scan {
  const nothing = { rows: 0, oldest: null, end: 'more' as const, cursor: undefined, unsearchable: 0 };
  const none = { carriesHashes: false, carriesAddresses: false };
  return { matches: [], covered: kinds.map((kind) => ({ kind, ...nothing, ...none })) };
}

/** Searches both lists in parallel, newest first, to their ends. Throws the error of a failed read. */
export async function scanOn(
  from: Scan,
  { account, filters, match, isComparable }: ScanTarget,
  signal: AbortSignal,
  onProgress: (scan: Scan) => void,
): Promise<void> {
  let scan = from;
  const report = (covered: Covered, found: readonly FoundPayment[] = []): void => {
    const others = scan.covered.map((each) => (each.kind === covered.kind ? covered : each));
    scan = { matches: withFewOthers([...scan.matches, ...found]), covered: others };
    onProgress(scan);
  };
  const scanList = async (start: Covered): Promise<void> => {
    const { kind } = start;
    let covered = start;
    const fetchPage = (cursor: string | null) => READ[kind](filters, cursor, { account, limit: LIMIT_MAX, signal });
    const onPage = (page: Page<ScannedRow>): undefined => {
      covered = withPage(covered, page, isComparable);
      report(
        covered,
        page.data.flatMap((row) => match(kind, row) ?? []),
      );
    };
    try {
      const end = await walkPages(fetchPage, onPage, { signal, startAfter: start.cursor, ahead: true });
      report({ ...covered, end: end.kind === 'broken' ? 'broken' : 'all' });
    } catch (error) {
      // The list of deposits is in the contract, so a 404 counts only if the service itself sent it.
      if (!(kind === 'deposit' ? saysNotFound(error) : isNotOffered(error))) throw error;
      report({ ...covered, end: 'not-offered' });
    }
  };
  await Promise.all(from.covered.filter(({ end }) => end === 'more').map(scanList));
}

/** With more payments of other amounts than this, none is listed: a list wouldn't help. */
export const OTHERS_MAX = 5;

/** Keeps one more than are listed, to know that there are more. */
function withFewOthers(matches: readonly FoundPayment[]): FoundPayment[] {
  let others = 0;
  return matches.filter(({ fit }) => fit !== 'other' || (others += 1) <= OTHERS_MAX + 1);
}

export interface ScanTarget {
  account: string;
  filters: ListFilters;
  match: (kind: PaymentKind, row: ScannedRow) => FoundPayment | null;
  /** True if `match` can read what it compares in this row. */
  isComparable: (row: ScannedRow) => boolean;
}

function withPage(covered: Covered, page: Page<ScannedRow>, isComparable: ScanTarget['isComparable']): Covered {
  const others = page.data.filter((row) => !isComparable(row)).length;
  return {
    ...covered,
    rows: covered.rows + page.data.length + page.malformed.length,
    oldest: oldestTime(page.data) ?? covered.oldest,
    cursor: page.next_cursor ?? covered.cursor,
    unsearchable: covered.unsearchable + page.malformed.length + others,
    carriesHashes: covered.carriesHashes || page.data.some((row) => carries(row, /hash|address|tx/i)),
    carriesAddresses: covered.carriesAddresses || page.data.some((row) => carries(row, /address/i)),
  };
}

function carries(row: ScannedRow, what: RegExp): boolean {
  return Object.entries(row).some(([name, value]) => what.test(name) && value !== null);
}
