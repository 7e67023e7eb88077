// The reads that a month is built from.
import type { ListFilters } from '#src/shared/contract/contract.ts';
import type { BalanceRow, WithdrawalRow } from '#src/shared/contract/rows.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import type { FollowedPage } from '#src/shared/paging/followPages.ts';
import type { AnyRow, PeriodList } from './periodRows.ts';
import type { SumVerdict } from './sums.ts';

export interface MonthPage extends FollowedPage {
  data: readonly AnyRow[];
  /** Items without an ID. */
  malformed: readonly unknown[];
}

/** Reads the page after a cursor, null for the first. Throws ListRefused. */
export type ReadMonthPage = (filters: ListFilters, cursor: string | null) => Promise<MonthPage>;

export type MonthReads = Record<PeriodList, ReadMonthPage> & {
  /** `asOf`: Unix seconds by the service's clock. */
  balances: () => Promise<{ balances: readonly BalanceRow[]; malformed: number; asOf: number }>;
  /** Throws ListRefused. */
  withdrawal: (id: string) => Promise<WithdrawalRow>;
  lateEntriesIn: (period: ClosedPeriod) => Promise<LateEntry[]>;
  closingVerdicts: (period: ClosedPeriod) => Promise<ReadonlyMap<string, SumVerdict | null>>;
};

/** A late ledger entry of an earlier period, reported in this closed one; `at` is its created_at. */
export interface LateEntry {
  asset: string;
  amount: string;
  at: number;
}

/** The service refused to read a list or a row. */
export class ListRefused extends Error {
  override name = 'ListRefused';
  readonly status: number;
  /** The service itself says that the list or row doesn't exist. */
  readonly #isNotFound: boolean;
  /** Set if rows were read before: then the refusal doesn't mean that the list doesn't exist. */
  isOfLaterPage = false;

  constructor({ status, isNotFound }: { status: number; isNotFound: boolean }, cause: unknown) {
    super('The provider refused to read a list.', { cause });
    this.status = status;
    this.#isNotFound = isNotFound;
  }

  saysNotOffered(): boolean {
    return this.#isNotFound && !this.isOfLaterPage;
  }
}

/** A list that can't be followed to its end. */
export class ListBroken extends Error {
  override name = 'ListBroken';
}
