// What moved one asset in each month, by its ledger, so that one month's closing is the next one's opening.
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { isAmount, isNegative, isZero } from '#src/lib/amount.ts';
import { groupBy } from '#src/lib/groupBy.ts';
import { equal, subtract, sum } from '#src/lib/money.ts';
import { dateOf, daysBefore, isPlausibleTime, type Zone } from '#src/lib/time.ts';
import { sourceKind, sourceOf } from '#src/resources/ledgerSource.ts';

export const MOVES = ['deposits', 'withdrawals', 'swaps', 'fees', 'other'] as const;
export type Move = (typeof MOVES)[number];

export interface Month extends Record<Move, string> {
  /** "2026-11" */
  month: string;
  from: string;
  to: string;
  opening: string;
  closing: string;
  /** Of a withdrawal the fee is not known, so that its fee is among the withdrawals. */
  feesUnknown: boolean;
}

interface History {
  entries: readonly LedgerEntryRow[];
  /** The balance as it is now. */
  total: string;
  /** Unix seconds by the service's clock. */
  now: number;
  zone: Zone;
  /** Loaded without a gap back to then, Unix seconds; null: to the end of the ledger. */
  reached: number | null;
  /** What a withdrawal cost; null where that is not known. */
  feeOf: (withdrawal: string) => string | null;
}

/** Newest first, as far as whole months are loaded; null where an entry cannot be counted. */
export function monthsOf({ entries, total, now, zone, reached, feeOf }: History): Month[] | null {
  if (!entries.every(({ amount, created_at: at }) => isAmount(amount) && isPlausibleTime(at))) return null;
  const byMonth = groupBy(entries, ({ created_at: at }) => monthOf(at, zone));
  const last = dateOf(now, zone);
  const [first = ''] = [...byMonth.keys(), last.slice(0, 7)].sort();
  const months: Month[] = [];
  let closing = total;
  for (let to = last; ; to = daysBefore(`${to.slice(0, 7)}-01`, 1)) {
    const month = to.slice(0, 7);
    const from = `${month}-01`;
    // Of the month in which loading stopped only a part is known.
    if (reached !== null && dateOf(reached, zone) >= from) break;
    const moves = movesOf(byMonth.get(month) ?? [], feeOf);
    const opening = subtract(closing, sum(MOVES.map((move) => moves[move])));
    months.push({ ...moves, month, from, to, opening, closing });
    closing = opening;
    if (month <= first) break;
  }
  return months;
}

function monthOf(at: unknown, zone: Zone): string {
  return isPlausibleTime(at) ? dateOf(at, zone).slice(0, 7) : '';
}

function movesOf(
  entries: readonly LedgerEntryRow[],
  feeOf: History['feeOf'],
): Omit<Month, 'month' | 'from' | 'to' | 'opening' | 'closing'> {
  const amounts: Record<Move, string[]> = { deposits: [], withdrawals: [], swaps: [], fees: [], other: [] };
  for (const entry of entries) if (isAmount(entry.amount)) amounts[moveOf(entry)].push(entry.amount);
  // The ledger takes a fee out of the withdrawal that it belongs to.
  const paid = groupBy(
    entries.filter((entry) => moveOf(entry) === 'withdrawals'),
    sourceOf,
  );
  let feesUnknown = false;
  for (const [source, moves] of paid) {
    const left = sum(moves.map(({ amount }) => amount).filter(isAmount));
    if (!isNegative(left)) continue;
    const fee = source === null ? null : feeOf(source);
    if (fee === null || !isAmount(fee)) feesUnknown = true;
    else if (!isZero(fee)) {
      amounts.fees.push(subtract('0', fee));
      amounts.withdrawals.push(fee);
    }
  }
  return {
    deposits: sum(amounts.deposits),
    withdrawals: sum(amounts.withdrawals),
    swaps: sum(amounts.swaps),
    fees: sum(amounts.fees),
    other: sum(amounts.other),
    feesUnknown,
  };
}

/** By its type, else by what the id of its source says. */
export function moveOf(entry: LedgerEntryRow): Move {
  const type = typeof entry['type'] === 'string' ? entry['type'].toLowerCase() : '';
  return TYPES.get(type) ?? sourceKind(sourceOf(entry) ?? '');
}

const TYPES: ReadonlyMap<string, Move> = new Map([
  ['deposit', 'deposits'],
  ['withdrawal', 'withdrawals'],
  ['swap', 'swaps'],
  ['fee', 'fees'],
]);

/** Whether all that the ledger ever moved makes the balance; null: it is not loaded to its end. */
export function equalsLedger({
  entries,
  total,
  reached,
}: Pick<History, 'entries' | 'total' | 'reached'>): boolean | null {
  if (reached !== null || entries.length === 0) return null;
  const moved = entries.map(({ amount }) => amount).filter(isAmount);
  if (moved.length < entries.length) return null;
  return equal(total, sum(moved));
}
