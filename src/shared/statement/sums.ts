import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import type { FrozenSum } from '#src/shared/contract/statementContract.ts';
import { isAmount } from '#src/shared/amount.ts';
import { add, equal, subtract, sum } from '#src/shared/money.ts';
import { compareWords } from '#src/shared/text.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { createMoves, type LineSums } from './ledgerMoves.ts';
import { createPairs } from './swapPairs.ts';
import type { Bounds } from './period.ts';

export interface CurrentBalance {
  total: string;
  /** The part of it that is pending; null if not readable. */
  pending: string | null;
  /** When it last changed, Unix seconds; null if not stated. */
  at: number | null;
}

export const VERDICTS = ['agrees', 'explained', 'unexplained'] as const;
export type SumVerdict = (typeof VERDICTS)[number];

/** One asset in the period and since: opening + movements = closing, closing + since = balance − difference. */
export interface AssetSum extends FrozenSum {
  since: string;
  sinceEntries: number;
  /** The sum of later movements in the pending book; null if an entry names no book. */
  pendingSince: string | null;
  /** The part of `since` that later statements added for closed periods; it is in none of the entries. */
  takenOver?: string;
  /** Null without a readable balance to compare with. */
  balance: CurrentBalance | null;
  difference: string | null;
  verdict: SumVerdict | null;
  /** For a closed period: the verdict in its statement, which never changes. */
  closingVerdict?: SumVerdict | null;
  /** Entries that the balance may not include yet, oldest first. */
  newest: readonly LedgerEntryRow[];
  /** The last of `newest`, if they add up to exactly the difference. */
  ahead: readonly LedgerEntryRow[];
  swapped: LineSums['swapped'];
}

export function createSums(
  { from, to }: Bounds,
  opening: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, CurrentBalance>,
) {
  const pairs = createPairs();
  const unplaced: LedgerEntryRow[] = [];
  const newTally = (asset: string) => ({
    opening: opening.get(asset) ?? '0',
    moves: createMoves(),
    entries: 0,
    since: '0',
    sinceEntries: 0,
    pendingSince: '0' as string | null,
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
      const balanceChangedAt = now.get(asset)?.at ?? null;
      if (balanceChangedAt !== null && at >= balanceChangedAt) tally.newest.push(entry);
      if (at < from) tally.opening = add(tally.opening, amount);
      else if (at < to) {
        tally.entries += 1;
        tally.moves.add(entry);
      } else {
        tally.since = add(tally.since, amount);
        tally.sinceEntries += 1;
        const book = entry['book'];
        if (typeof book !== 'string') tally.pendingSince = null;
        else if (book === 'pending' && tally.pendingSince !== null)
          tally.pendingSince = add(tally.pendingSince, amount);
      }
    },

    /** Withdrawals with an entry in the period. */
    withdrawals: () => new Set([...tallies.values()].flatMap(({ moves }) => moves.withdrawals())),

    /** Withdrawals sent in the period whose fee the ledger doesn't list separately. */
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
          return withVerdict({ ...tally, ...lines, swapped, balance });
        })
        .sort((a, b) => compareWords(a.asset, b.asset)),
  };
}

export function withVerdict(sums: Omit<AssetSum, 'difference' | 'verdict' | 'ahead'>): AssetSum {
  const { balance, newest } = sums;
  if (balance === null) return { ...sums, difference: null, verdict: null, ahead: [] };
  const difference = subtract(balance.total, add(sums.closing, sums.since));
  if (equal(difference, '0')) return { ...sums, difference, verdict: 'agrees', ahead: [] };
  // A snapshot may fall between two entries of one second, so look for the last ones that add up to the difference.
  let lacking = difference;
  for (const [at, { amount }] of [...newest.entries()].toReversed()) {
    lacking = add(lacking, isAmount(amount) ? amount : '0');
    if (equal(lacking, '0')) return { ...sums, difference, verdict: 'explained', ahead: newest.slice(at) };
  }
  return { ...sums, difference, verdict: 'unexplained', ahead: [] };
}

/** The pending amount at the period's end: the current one minus later movements of it. Null if unknown. */
export function pendingAtEnd({
  balance,
  pendingSince,
  verdict,
}: Pick<AssetSum, 'balance' | 'pendingSince' | 'verdict'>): string | null {
  // A balance that lags the ledger lacks some of those movements.
  if (verdict === 'explained' || pendingSince === null || balance === null || balance.pending === null) return null;
  return subtract(balance.pending, pendingSince);
}
