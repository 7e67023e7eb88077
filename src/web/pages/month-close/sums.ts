import type { LedgerEntryRow } from '#src/web/api/schemas.ts';
import type { FrozenSum } from '#src/shared/contract/statementContract.ts';
import { isAmount } from '#src/shared/amount.ts';
import { add, equal, subtract, sum } from '#src/shared/money.ts';
import { compareWords } from '#src/shared/text.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { createMoves, type Moved } from '#src/web/resources/ledgerMoves.ts';
import { createPairs } from '#src/web/resources/ledgerSource.ts';
import type { Bounds } from './period.ts';

export interface Now {
  total: string;
  /** When it last changed, Unix seconds; null where that is not stated. */
  at: number | null;
}

/** One asset over the period, and since: opening + movements = closing, closing + since = balance − difference. */
export interface AssetSum extends FrozenSum {
  since: string;
  sinceEntries: number;
  /** Of `since`, what later statements took over of closed periods: it is in none of the entries. */
  takenOver?: string;
  /** null: no readable balance, so that nothing can be compared. */
  balance: Now | null;
  difference: string | null;
  verdict: 'agrees' | 'explained' | 'unexplained' | null;
  /** Entries that the balance may not hold yet, oldest first. */
  newest: readonly LedgerEntryRow[];
  /** Those of them that make up the whole difference. */
  ahead: readonly LedgerEntryRow[];
  swapped: Moved['swapped'];
}

export function createSums({ from, to }: Bounds, opening: ReadonlyMap<string, string>, now: ReadonlyMap<string, Now>) {
  const pairs = createPairs();
  const unplaced: LedgerEntryRow[] = [];
  const newTally = (asset: string) => ({
    opening: opening.get(asset) ?? '0',
    moves: createMoves(),
    entries: 0,
    since: '0',
    sinceEntries: 0,
    newest: [] as LedgerEntryRow[],
  });
  const assets = [...opening.keys(), ...now.keys()];
  const tallies = new Map(assets.map((asset) => [asset, newTally(asset)]));

  return {
    unplaced,

    add(entry: LedgerEntryRow): void {
      const { asset, amount, created_at: at } = entry;
      if (asset === null || !isAmount(amount) || !isPlausibleTime(at)) {
        unplaced.push(entry);
        return;
      }
      const tally = tallies.get(asset) ?? newTally(asset);
      tallies.set(asset, tally);
      pairs.add(entry);
      const shownAt = now.get(asset)?.at ?? null;
      if (shownAt !== null && at >= shownAt) tally.newest.push(entry);
      if (at < from) tally.opening = add(tally.opening, amount);
      else if (at < to) {
        tally.entries += 1;
        tally.moves.add(entry);
      } else {
        tally.since = add(tally.since, amount);
        tally.sinceEntries += 1;
      }
    },

    /** Withdrawals that left in the period and whose fee the ledger does not tell apart. */
    uncharged: () =>
      [...tallies].flatMap(([asset, { moves }]) =>
        moves.uncharged().map((id) => ({ id, asset, charge: (fee: string | null) => moves.charge(id, fee) })),
      ),

    list: (): AssetSum[] =>
      [...tallies]
        .map(([asset, { moves, entries, ...tally }]) => {
          const { amounts, counts, swapped } = moves.list(pairs);
          const closing = sum([tally.opening, ...Object.values(amounts)]);
          const balance = now.get(asset) ?? null;
          const lines = { asset, ...amounts, adjustments: '0', closing, counts: { ...counts, entries } };
          return compared({ ...tally, ...lines, swapped, balance });
        })
        .sort((a, b) => compareWords(a.asset, b.asset)),
  };
}

export function compared(sums: Omit<AssetSum, 'difference' | 'verdict' | 'ahead'>): AssetSum {
  const { balance, newest } = sums;
  if (balance === null) return { ...sums, difference: null, verdict: null, ahead: [] };
  const difference = subtract(balance.total, add(sums.closing, sums.since));
  if (equal(difference, '0')) return { ...sums, difference, verdict: 'agrees', ahead: [] };
  // Two entries of one second may stand on both sides of a snapshot: the last ones that make up the difference do.
  let lacking = difference;
  for (const [at, { amount }] of [...newest.entries()].toReversed()) {
    lacking = add(lacking, isAmount(amount) ? amount : '0');
    if (equal(lacking, '0')) return { ...sums, difference, verdict: 'explained', ahead: newest.slice(at) };
  }
  return { ...sums, difference, verdict: 'unexplained', ahead: [] };
}
