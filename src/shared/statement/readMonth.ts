import type { BalanceRow } from '#src/shared/contract/rows.ts';
import type { ClosedPeriod, ClosedTotal } from '#src/shared/contract/statementContract.ts';
import { createTotals, type RowSum } from '#src/shared/export/rowTotals.ts';
import { isAmount, isZero } from '#src/shared/amount.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { csvRow } from '#src/shared/files/csv.ts';
import { add } from '#src/shared/money.ts';
import { sourceKey } from './movement.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import {
  periodRowAmount,
  type AnyRow,
  destinationOf,
  periodCsvRows,
  PERIOD_LISTS,
  type PeriodList,
} from './periodRows.ts';
import { type AssetSum, withVerdict, createSums, type CurrentBalance, type SumVerdict } from './sums.ts';
import { walkRange } from './walkRange.ts';
import { createLines, type FileLines, NO_BYTES } from './lines.ts';
import { ListRefused, type MonthReads } from './monthReads.ts';
import { type Bounds, isSamePeriod } from './period.ts';
import { movementLine, movementOf, movementsByTime, movementsOfPayment } from './movements.ts';

export interface MonthProgress {
  list: PeriodList;
  rows: number;
  /** created_at of the last row, Unix seconds. */
  reached: number | null;
  /** The part of the list's time range that was read, 0 to 1; null if its start is unknown. */
  share: number | null;
  /** Estimated from the pace so far; null before that is known. */
  secondsLeft: number | null;
}

interface Part extends FileLines {
  totals: RowSum[];
  last: string | null;
}

export interface Month {
  bounds: Bounds;
  /** Unix seconds by the service's clock. */
  asOf: number;
  parts: { deposits: Part; withdrawals: Part | null; ledger: Part | null };
  /** Null if the service has no ledger. */
  sums: AssetSum[] | null;
  /** The rows that existed before the first period: list, id, state. */
  before: FileLines;
  /** The period's movements for the journal, one per line. */
  movements: FileLines;
  /** By sourceKey(): the fee that a withdrawal's movement includes. */
  fees: ReadonlyMap<string, string>;
  /** Where withdrawals went that were created before the period and moved in it. */
  destinations: ReadonlyMap<string, ChainAddress>;
  /** Rows that fit in no period: without a valid time, or entries without an asset or amount. */
  unplaced: { list: PeriodList; row: AnyRow }[];
  malformed: number;
  /** Number of sent withdrawals with an unknown fee. */
  feesUnknown: number;
}

interface ReadMonthOptions {
  bounds: Bounds;
  /** Oldest first. If `bounds` is one of them, only later movements are read. */
  closed: readonly ClosedPeriod[];
  signal: AbortSignal;
  onProgress: (progress: MonthProgress) => void;
}

const NO_PART: Part = { rows: 0, text: NO_BYTES, totals: [], last: null };

/** Reads a period and the movements since. Throws the error of a failed read. */
export async function readMonth(
  reads: MonthReads,
  { bounds, closed, signal, onProgress }: ReadMonthOptions,
): Promise<Month> {
  // Null if this period is still open.
  const closedAlready = closed.find((period) => isSamePeriod(period, bounds)) ?? null;
  // Its closing balances are where the sums start.
  const basePeriod = closedAlready ?? closed.findLast(({ to }) => to <= bounds.from) ?? null;
  const { balances, malformed, asOf } = await reads.balances();
  const parts: Month['parts'] = { deposits: NO_PART, withdrawals: null, ledger: null };
  const before = createLines();
  const movements = createLines();
  /** The ledger came oldest first, as requested. */
  let areSorted = true;
  const includedFees = new Map<string, string>();
  const destinations = new Map<string, ChainAddress>();
  const month = { sums: null as AssetSum[] | null, malformed, feesUnknown: 0 };
  const unplaced: Month['unplaced'] = [];
  /** By ID; null: not found. Includes withdrawals created before the period that moved in it. */
  const withdrawals = new Map<string, Pick<AnyRow, 'asset' | 'fee'> | null>();

  async function readPart(
    list: PeriodList,
    from: number | null,
    take: (row: AnyRow, isInside: boolean) => void,
  ): Promise<Part> {
    const lines = createLines();
    const totals = createTotals();
    let last: string | null = null;
    const progress = createProgress(list, { from, to: list === 'ledger' ? asOf : bounds.to });
    const checkpoint = list === 'deposits' && basePeriod?.to === bounds.from ? basePeriod.checkpoint : null;
    await walkRange(
      reads[list],
      { from, to: list === 'ledger' ? null : bounds.to, checkpoint },
      (page, { malformed }) => {
        month.malformed += malformed.length;
        const inside = page.filter(({ created_at: at }) => isPlausibleTime(at) && at >= bounds.from && at < bounds.to);
        const isInside = new Set(inside);
        for (const row of page) take(row, isInside.has(row));
        lines.add(periodCsvRows(list, inside), inside.length);
        if (list !== 'ledger')
          for (const row of inside) totals.add(row.asset, row['status'], periodRowAmount(list, row));
        last = inside.at(-1)?.id ?? last;
        onProgress(progress(page));
      },
      signal,
    );
    return { ...lines.all(), totals: totals.list(), last };
  }

  async function readPayments(list: 'deposits' | 'withdrawals'): Promise<Part> {
    return readPart(list, bounds.from, (row, isInside) => {
      if (list === 'withdrawals') withdrawals.set(row.id, { asset: row.asset, fee: row['fee'] });
      if (!isInside) unplaced.push({ list, row });
      else if (parts.ledger === null)
        for (const movement of movementsOfPayment(list, row)) movements.add(movementLine(movement), 1);
    });
  }

  /** By asset, the sum of late entries dated before the end of this closed period that later statements report. Doesn't read the ledger. */
  async function readLateSums({ number, to }: ClosedPeriod): Promise<Map<string, string>> {
    const amounts = new Map<string, string>();
    for (const period of closed.filter((later) => later.number > number)) {
      if (period.sums?.some(({ adjustments }) => !isZero(adjustments)) !== true) continue;
      for (const { asset, amount, at } of await reads.lateEntriesIn(period))
        if (at < to) amounts.set(asset, add(amounts.get(asset) ?? '0', amount));
    }
    return amounts;
  }

  async function readLedger(): Promise<void> {
    const opening = new Map(basePeriod?.sums?.map((each) => [each.asset, each.closing]));
    const lateSums = basePeriod?.sums ? await readLateSums(basePeriod) : new Map<string, string>();
    // A closed period keeps its sums: for it, these amounts count as later movements.
    if (closedAlready === null)
      for (const [asset, amount] of lateSums) opening.set(asset, add(opening.get(asset) ?? '0', amount));
    const sums = createSums(bounds, opening, balancesNow(balances));
    let movedAt = 0;
    // A period closed without a ledger has no balances, so read the ledger from its start.
    parts.ledger = await readPart('ledger', basePeriod?.sums ? basePeriod.to : null, (entry, isInside) => {
      sums.add(entry);
      const { created_at: at } = entry;
      const movement = isInside ? movementOf(entry) : null;
      if (movement) {
        areSorted &&= movement.at >= movedAt;
        movedAt = movement.at;
        movements.add(movementLine(movement), 1);
      }
      if (!isInside && isPlausibleTime(at) && at < bounds.from) before.add(beforeLine('ledger', entry.id, ''), 1);
    });
    unplaced.push(...sums.unplaced.map((row) => ({ list: 'ledger' as const, row })));
    await readWithdrawals();
    for (const id of sums.withdrawals()) if (!withdrawals.has(id)) await readEarlierWithdrawal(id);
    for (const { id, asset, charge } of sums.uncharged()) {
      const withdrawal = withdrawals.get(id);
      const fee = withdrawal?.['fee'];
      if (!isAmount(fee)) {
        month.feesUnknown += 1;
        charge(null);
      } else if (withdrawal?.asset === asset) {
        includedFees.set(sourceKey(asset, id), fee);
        charge(fee);
      }
    }
    month.sums =
      closedAlready === null
        ? sums.list()
        : storedSumsSince(sums.list(), closedAlready, {
            lateSums,
            verdicts: await reads.closingVerdicts(closedAlready),
          });
  }

  /** Reads a withdrawal created before the period that moved in it. */
  async function readEarlierWithdrawal(id: string): Promise<void> {
    const row = await unlessNotOffered(() => reads.withdrawal(id));
    withdrawals.set(id, row && { asset: row.asset, fee: row.fee });
    const destination = row && destinationOf(row.chain, row.address);
    if (destination) destinations.set(id, destination);
  }

  async function readWithdrawals(): Promise<void> {
    if (closedAlready === null) parts.withdrawals = await unlessNotOffered(() => readPayments('withdrawals'));
    else parts.withdrawals = closedAlready.rows.withdrawals === null ? null : NO_PART;
  }

  // readLedger reads the withdrawals too: movements need their fees. A period closed without a ledger has no sums to compare with.
  if (closedAlready?.sums !== null) await unlessNotOffered(readLedger);
  if (parts.ledger === null) await readWithdrawals();
  if (closedAlready === null) parts.deposits = await readPayments('deposits');
  const { rows, text } = movements.all();
  const lines = { before: before.all(), movements: { rows, text: areSorted ? text : await movementsByTime(text) } };
  return { ...month, bounds, asOf, parts, unplaced, ...lines, fees: includedFees, destinations };
}

interface Statement {
  /** By asset, what later statements report for this period. */
  lateSums: ReadonlyMap<string, string>;
  verdicts: ReadonlyMap<string, SumVerdict | null>;
}

/** The stored sums of a closed period with the movements since, including late entries that later periods report. */
function storedSumsSince(
  live: AssetSum[],
  { sums }: ClosedPeriod,
  { lateSums, verdicts }: Statement,
): AssetSum[] | null {
  if (sums === null) return null;
  const storedSums = new Map(sums.map((each) => [each.asset, each]));
  return live.map((each) => {
    const takenOver = lateSums.get(each.asset) ?? '0';
    // An asset that the statement doesn't name was at zero, which agreed.
    const closingVerdict = verdicts.has(each.asset) ? (verdicts.get(each.asset) ?? null) : 'agrees';
    const since = add(each.since, takenOver);
    return withVerdict({ ...each, ...storedSums.get(each.asset), takenOver, since, closingVerdict });
  });
}

async function unlessNotOffered<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ListRefused && error.saysNotOffered()) return null;
    throw error;
  }
}

export function closedTotals(parts: Month['parts']): ClosedTotal[] {
  return PERIOD_LISTS.flatMap((list) => parts[list]?.totals.map((total) => ({ list, ...total })) ?? []);
}

/** Reports the pages of one list, oldest first, and how long it may still take. A range without a start begins at its first row. */
export function createProgress(list: PeriodList, { from, to }: { from: number | null; to: number }) {
  const began = performance.now();
  let start = from;
  let rows = 0;
  return (page: readonly AnyRow[]): MonthProgress => {
    rows += page.length;
    const times = page.map(({ created_at: at }) => at).filter(isPlausibleTime);
    const reached = times.at(-1) ?? null;
    start ??= times[0] ?? null;
    if (start === null || reached === null || to <= start)
      return { list, rows, reached, share: null, secondsLeft: null };
    const share = Math.min(1, Math.max(0, (reached - start) / (to - start)));
    const seconds = (performance.now() - began) / 1000;
    // Too early for an estimate.
    const secondsLeft = share < 0.02 || seconds < 1 ? null : Math.ceil((seconds * (1 - share)) / share);
    return { list, rows, reached, share, secondsLeft };
  };
}

export function beforeLine(list: PeriodList, id: string, state: string): string {
  return csvRow([list, id, state]);
}

/** Adds up balances, as a service may list several of one asset. */
function balancesNow(balances: readonly BalanceRow[]): Map<string, CurrentBalance> {
  const now = new Map<string, CurrentBalance>();
  const unreadable = new Set<string>();
  for (const { asset, total, pending, updated_at: updated } of balances) {
    const before = now.get(asset);
    if (!isAmount(total)) unreadable.add(asset);
    else {
      const at = isPlausibleTime(updated) ? updated : null;
      // The oldest time counts; unknown if one is unknown.
      const oldest = before && (before.at === null || at === null ? null : Math.min(before.at, at));
      const isSplit = isAmount(pending) && before?.pending !== null;
      now.set(asset, {
        total: add(before?.total ?? '0', total),
        pending: isSplit ? add(before?.pending ?? '0', pending) : null,
        at: before ? (oldest ?? null) : at,
      });
    }
  }
  for (const asset of unreadable) now.delete(asset);
  return now;
}
