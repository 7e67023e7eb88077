// A month's reading as a page shows it: long lists are reduced to a count and some of their rows.
import type { ShownLate, ShownMonth, ShownSum } from '#src/shared/contract/monthJobContract.ts';
import { isAmount } from '#src/shared/amount.ts';
import { type Month, closedTotals } from './readMonth.ts';
import { type Adjustment, type MonthCheck, lateMoves } from './reportedRows.ts';
import type { AssetSum } from './sums.ts';

const UNPLACED = 5;
const AHEAD = 5;
const SWAPS = 20;
export const FOUND = 50;

export function shownMonth({ asOf, sums, parts, unplaced, malformed, feesUnknown }: Month): ShownMonth {
  const { deposits, withdrawals, ledger } = parts;
  return {
    asOf,
    sums: sums?.map(shownSum) ?? null,
    totals: closedTotals(parts),
    rows: { deposits: deposits.rows, withdrawals: withdrawals?.rows ?? null, ledger: ledger?.rows ?? null },
    unplaced: { count: unplaced.length, ids: unplaced.slice(0, UNPLACED).map(({ row: { id } }) => id) },
    malformed,
    feesUnknown,
  };
}

export function shownSum({ ahead, swapped, ...rest }: AssetSum): ShownSum {
  const { newest: _, ...sum } = rest;
  return {
    ...sum,
    ahead: { count: ahead.length, rows: ahead.slice(-AHEAD) },
    swapped: { count: swapped.length, rows: swapped.slice(0, SWAPS) },
  };
}

export function shownLate({ adjustments, rows }: Pick<MonthCheck, 'adjustments' | 'rows'>): ShownLate {
  const payments = adjustments.filter(({ list }) => list !== 'ledger');
  const listed = new Set(payments.map(({ id }) => id));
  // Ledger entries of a payment that is already listed add nothing.
  const entries = adjustments.filter((each) => each.list === 'ledger' && !listed.has(String(each.row['source'])));
  const all = [...payments, ...entries];
  return {
    rows,
    adjustments: adjustments.length,
    found: { count: all.length, rows: all.slice(0, FOUND) },
    moves: assetsOf(adjustments).map((asset) => ({ asset, ...lateMoves(adjustments, asset) })),
  };
}

function assetsOf(adjustments: readonly Adjustment[]): string[] {
  const moved = adjustments.filter(({ list, row }) => list === 'ledger' && isAmount(row['amount']));
  return [...new Set(moved.flatMap(({ row: { asset } }) => asset ?? []))];
}
