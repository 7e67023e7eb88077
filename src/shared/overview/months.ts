// An asset's movements per month, from its ledger. Each month's closing is the next month's opening.
import type { LedgerMonth } from '#src/shared/contract/overviewContract.ts';
import type { ClosedPeriod, FrozenSum, SUM_LINES } from '#src/shared/contract/statementContract.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { isAmount } from '#src/shared/amount.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { equal, subtract, sum } from '#src/shared/money.ts';
import { dateOf, daysBefore, isPlausibleTime, type Zone } from '#src/shared/time.ts';
import { boundsOfDays } from '#src/shared/createdRange.ts';
import { createMoves, STATEMENT_LINES } from '#src/shared/statement/ledgerMoves.ts';
import { createPairs } from '#src/shared/statement/swapPairs.ts';

interface History {
  entries: readonly LedgerEntryRow[];
  /** Entries in other assets that are the other legs of these. */
  legs?: readonly LedgerEntryRow[];
  total: string;
  /** Unix seconds by the service's clock. */
  now: number;
  zone: Zone;
  /** Loaded without a gap back to this time, Unix seconds; null if back to the start of the ledger. */
  reached: number | null;
  /** The fee of a withdrawal; null if unknown. */
  feeOf: (withdrawal: string) => string | null;
}

type Loaded = Pick<History, 'entries' | 'reached'>;

/** The balance including movements after its snapshot; closings are computed back from it. */
export function upToDate({ total, changedAt }: BalanceSnapshot, { entries, reached }: Loaded): string {
  // A total that equals the whole ledger is up to date, whatever its time.
  if (!isPlausibleTime(changedAt) || equalsLedger({ entries, total, reached })) return total;
  const newer = entries.filter(({ created_at: at }) => isPlausibleTime(at) && at > changedAt);
  return sum([total, ...newer.map(({ amount }) => amount).filter(isAmount)]);
}

export interface BalanceSnapshot {
  total: string;
  /** updated_at as received. */
  changedAt: unknown;
}

/** Fully loaded months, newest first; null if an entry can't be counted. */
export function monthsOf({ entries, legs = [], total, now, zone, reached, feeOf }: History): LedgerMonth[] | null {
  if (!entries.every(({ amount, created_at: at }) => isAmount(amount) && isPlausibleTime(at))) return null;
  const pairs = createPairs();
  for (const entry of [...entries, ...legs]) pairs.add(entry);
  const byMonth = groupBy(entries, ({ created_at: at }) => (isPlausibleTime(at) ? dateOf(at, zone).slice(0, 7) : ''));
  const last = dateOf(now, zone);
  const [first = ''] = [...byMonth.keys(), last.slice(0, 7)].sort();
  const months: LedgerMonth[] = [];
  let closing = total;
  for (let to = last; ; to = daysBefore(`${to.slice(0, 7)}-01`, 1)) {
    const month = to.slice(0, 7);
    const from = `${month}-01`;
    // The month in which loading stopped is incomplete.
    if (reached !== null && dateOf(reached, zone) >= from) break;
    const moves = createMoves();
    for (const entry of byMonth.get(month) ?? []) moves.add(entry);
    for (const id of moves.uncharged()) moves.charge(id, feeOf(id));
    const { amounts, feesUnknown } = moves.list(pairs);
    const opening = subtract(closing, sum(STATEMENT_LINES.map((move) => amounts[move])));
    const line = { ...amounts, adjustments: '0', is_closed: false, fees_unknown: feesUnknown > 0 };
    months.push({ ...line, month, from, to, opening, closing });
    closing = opening;
    if (month <= first) break;
  }
  return months;
}

/** Whether the whole ledger adds up to the balance; null if it isn't fully loaded. */
export function equalsLedger({ entries, total, reached }: Loaded & Pick<History, 'total'>): boolean | null {
  if (reached !== null || entries.length === 0) return null;
  const moved = entries.map(({ amount }) => amount).filter(isAmount);
  if (moved.length < entries.length) return null;
  return equal(total, sum(moved));
}

/**
 * Closed months get the figures of their statements. Entries that came late for them are an adjustment of the month after the
 * last one, so that each opening is still the closing before it.
 */
export function withStatements(
  months: readonly LedgerMonth[],
  { closed, asset, zone }: { closed: readonly ClosedPeriod[]; asset: string; zone: Zone },
): LedgerMonth[] {
  const stated: LedgerMonth[] = [];
  let before: LedgerMonth | undefined;
  for (const month of months.toReversed()) {
    const { created_after: after, created_before: until } = boundsOfDays({ from: month.from, to: month.to }, zone);
    const period = closed.find(({ from, to }) => from - 1 === after && to === until);
    const late = before?.is_closed ? subtract(month.opening, before.closing) : '0';
    const opening = before?.is_closed ? before.closing : month.opening;
    before = period?.sums
      ? { ...month, ...lineOfAsset(period.sums, asset), fees_unknown: false, is_closed: true }
      : { ...month, opening, adjustments: late };
    stated.push(before);
  }
  return stated.toReversed();
}

/** An asset that a statement doesn't name was at zero. */
function lineOfAsset(sums: readonly FrozenSum[], asset: string): Record<(typeof SUM_LINES)[number], string> {
  const sum = sums.find((each) => each.asset === asset);
  const { opening = '0', deposits = '0', withdrawals = '0', fees = '0', swaps = '0', other = '0' } = sum ?? {};
  const { adjustments = '0', closing = '0' } = sum ?? {};
  return { opening, deposits, withdrawals, fees, swaps, other, adjustments, closing };
}
