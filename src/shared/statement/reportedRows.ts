import { isAmount } from '#src/shared/amount.ts';
import { add, equal, subtract } from '#src/shared/money.ts';
import type { Movement } from './movement.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { createMoves } from './ledgerMoves.ts';
import { createLines, type FileLines } from './lines.ts';
import type { MonthReads } from './monthReads.ts';
import { beforeLine, createProgress, type Month, type MonthProgress } from './readMonth.ts';
import { periodRowAmount, type AnyRow, type PeriodList, stateOf } from './periodRows.ts';
import { withVerdict } from './sums.ts';
import { type Range, walkRange } from './walkRange.ts';
import type { Bounds } from './period.ts';
import { movementOf, movementsSince } from './movements.ts';

/** The rows that closed statements already report: by ID, the state last reported. */
export type ReportedRows = Record<PeriodList, Map<string, string>>;

export function noReportedRows(): ReportedRows {
  return { deposits: new Map(), withdrawals: new Map(), ledger: new Map() };
}

/** A row of a closed period that is in no statement, or changed since it was stated. */
export interface Adjustment {
  list: PeriodList;
  what: 'late' | 'changed';
  id: string;
  /** The state last reported; null for a late row. */
  was: string | null;
  row: AnyRow;
}

export interface MonthCheck {
  adjustments: Adjustment[];
  /** The rows that existed before the first period. */
  before: FileLines;
  rows: Partial<Record<PeriodList, number>>;
}

interface CheckOptions {
  reportedRows: ReportedRows;
  range: Range;
  /** No period is closed yet: older rows are not adjustments, but the start of the first period. */
  isFirst: boolean;
  signal: AbortSignal;
  onProgress: (progress: MonthProgress) => void;
}

/** Checks all rows created in a range, including late ones; the ledger only if the sums differ. */
export async function checkMonth(reads: MonthReads, month: Month, options: CheckOptions): Promise<MonthCheck> {
  const { reportedRows, range, isFirst, signal, onProgress } = options;
  const adjustments: Adjustment[] = [];
  const before = createLines(month.before);
  const rows: MonthCheck['rows'] = {};

  /** A row not reported yet is late; one in another state has changed. */
  function addIfChanged(list: PeriodList, row: AnyRow): void {
    const was = reportedRows[list].get(row.id) ?? null;
    const state = stateOf(list, row);
    if (was === state) return;
    reportedRows[list].set(row.id, state);
    const isOlder = !isPlausibleTime(row.created_at) || isBefore(row, month.bounds);
    if (isFirst && isOlder) before.add(beforeLine(list, row.id, state), 1);
    else adjustments.push({ list, what: was === null ? 'late' : 'changed', id: row.id, was, row });
  }

  async function checkList(list: PeriodList): Promise<void> {
    let count = 0;
    const progress = createProgress(list, { from: range.from, to: range.to ?? month.asOf });
    const take = (page: readonly AnyRow[]): void => {
      count += page.length;
      for (const row of page) addIfChanged(list, row);
      onProgress(progress(page));
    };
    await walkRange(reads[list], range, take, signal);
    rows[list] = count;
    for (const unplaced of month.unplaced) if (unplaced.list === list) addIfChanged(list, unplaced.row);
  }

  await checkList('deposits');
  if (month.parts.withdrawals !== null) await checkList('withdrawals');
  if (!isFirst && month.sums?.some(({ verdict }) => verdict === 'unexplained')) await checkList('ledger');
  return { adjustments, before: before.all(), rows };
}

/** The movements that adjustments add to this period: late ledger entries, or without a ledger, payments changed since. */
export function lateMovements({ bounds, sums }: Pick<Month, 'bounds' | 'sums'>, adjustments: readonly Adjustment[]) {
  return adjustments.flatMap(({ list, row, was }): Movement[] => {
    if (!isBefore(row, bounds)) return [];
    if (sums === null) return list === 'ledger' ? [] : movementsSince(was, list, row);
    const movement = list === 'ledger' ? movementOf(row) : null;
    return movement ? [movement] : [];
  });
}

/** The period with exactly these adjustments in its sums; late entries are in no closing yet. */
export function withAdjustments(month: Month, adjustments: readonly Adjustment[]): Month {
  const late = new Map<string, string>();
  for (const { asset, amount } of lateMovements(month, adjustments))
    late.set(asset, add(late.get(asset) ?? '0', amount));
  const sums = month.sums?.map((each) => {
    const amount = late.get(each.asset) ?? '0';
    if (equal(amount, each.adjustments)) return each;
    const closing = add(subtract(each.closing, each.adjustments), amount);
    return withVerdict({ ...each, adjustments: amount, closing });
  });
  return { ...month, sums: sums ?? null };
}

/** The late ledger entries of one asset, which are in no statement yet, as a sum and counts. */
export function lateMoves(adjustments: readonly Adjustment[], asset: string) {
  const moves = createMoves();
  let amount = '0';
  for (const { list, row } of adjustments) {
    const value = periodRowAmount(list, row);
    if (list !== 'ledger' || row.asset !== asset || !isAmount(value)) continue;
    moves.add(row);
    amount = add(amount, value);
  }
  const { deposits, withdrawals, fees, swaps, other } = moves.list({ of: () => null }).counts;
  return { amount, deposits, withdrawals, others: fees + swaps + other };
}

export type LateMoves = ReturnType<typeof lateMoves>;

function isBefore({ created_at: at }: AnyRow, { from }: Bounds): boolean {
  return isPlausibleTime(at) && at < from;
}
