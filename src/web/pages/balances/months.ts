// What moved one asset in each month, by its ledger, so that one month's closing is the next one's opening.
import type { LedgerEntryRow } from '#src/web/api/schemas.ts';
import { isAmount } from '#src/shared/amount.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { equal, subtract, sum } from '#src/shared/money.ts';
import { dateOf, daysBefore, isPlausibleTime, type Zone } from '#src/shared/time.ts';
import { createMoves, type Move, MOVES } from '#src/web/resources/ledgerMoves.ts';
import { createPairs } from '#src/web/resources/ledgerSource.ts';

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
  /** Entries in other assets, as far as they are legs of these. */
  legs?: readonly LedgerEntryRow[];
  total: string;
  /** Unix seconds by the service's clock. */
  now: number;
  zone: Zone;
  /** Loaded without a gap back to then, Unix seconds; null: to the end of the ledger. */
  reached: number | null;
  /** What a withdrawal cost; null where that is not known. */
  feeOf: (withdrawal: string) => string | null;
}

type Loaded = Pick<History, 'entries' | 'reached'>;

/** A balance with what the ledger moved after that snapshot was made: closings are counted back from there. */
export function upToDate({ total, changedAt }: Snapshot, { entries, reached }: Loaded): string {
  // What the whole ledger makes is up to date, whatever time it states.
  if (!isPlausibleTime(changedAt) || equalsLedger({ entries, total, reached })) return total;
  const newer = entries.filter(({ created_at: at }) => isPlausibleTime(at) && at > changedAt);
  return sum([total, ...newer.map(({ amount }) => amount).filter(isAmount)]);
}

export interface Snapshot {
  total: string;
  /** updated_at as it came. */
  changedAt: unknown;
}

/** Newest first, as far as whole months are loaded; null where an entry cannot be counted. */
export function monthsOf({ entries, legs = [], total, now, zone, reached, feeOf }: History): Month[] | null {
  if (!entries.every(({ amount, created_at: at }) => isAmount(amount) && isPlausibleTime(at))) return null;
  const pairs = createPairs();
  for (const entry of [...entries, ...legs]) pairs.add(entry);
  const byMonth = groupBy(entries, ({ created_at: at }) => (isPlausibleTime(at) ? dateOf(at, zone).slice(0, 7) : ''));
  const last = dateOf(now, zone);
  const [first = ''] = [...byMonth.keys(), last.slice(0, 7)].sort();
  const months: Month[] = [];
  let closing = total;
  for (let to = last; ; to = daysBefore(`${to.slice(0, 7)}-01`, 1)) {
    const month = to.slice(0, 7);
    const from = `${month}-01`;
    // Of the month in which loading stopped only a part is known.
    if (reached !== null && dateOf(reached, zone) >= from) break;
    const moves = createMoves();
    for (const entry of byMonth.get(month) ?? []) moves.add(entry);
    for (const id of moves.uncharged()) moves.charge(id, feeOf(id));
    const { amounts, feesUnknown } = moves.list(pairs);
    const opening = subtract(closing, sum(MOVES.map((move) => amounts[move])));
    months.push({ ...amounts, feesUnknown: feesUnknown > 0, month, from, to, opening, closing });
    closing = opening;
    if (month <= first) break;
  }
  return months;
}

/** Whether all that the ledger ever moved makes the balance; null: it is not loaded to its end. */
export function equalsLedger({ entries, total, reached }: Loaded & Pick<History, 'total'>): boolean | null {
  if (reached !== null || entries.length === 0) return null;
  const moved = entries.map(({ amount }) => amount).filter(isAmount);
  if (moved.length < entries.length) return null;
  return equal(total, sum(moved));
}
