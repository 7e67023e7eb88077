import type { LedgerEntryRow } from '#src/api/schemas.ts';
import type { FrozenSum } from '#src/api/statementContract.ts';
import { isAmount } from '#src/lib/amount.ts';
import { add, equal, subtract, sum } from '#src/lib/money.ts';
import { compareWords } from '#src/lib/text.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { pairSwap, sourceKind, sourceOf } from '#src/resources/ledgerSource.ts';

/** From its first second up to, and without, the second after it; Unix seconds. */
export interface Bounds {
  from: number;
  to: number;
}

/** A balance now: the sum of what the service lists for the asset. */
export interface Now {
  total: string;
  /** When it last changed, Unix seconds; null where that is not stated. */
  at: number | null;
}

export type Verdict = 'agrees' | 'explained' | 'unexplained';

/** One asset over the period, and since: opening + movements = closing, closing + since = balance − difference. */
export interface AssetSum extends FrozenSum {
  since: string;
  sinceEntries: number;
  /** null: no readable balance, so that nothing can be compared. */
  balance: Now | null;
  difference: string | null;
  verdict: Verdict | null;
  /** Entries that the balance may not hold yet, oldest first. */
  newest: readonly LedgerEntryRow[];
  /** Those of them that make up the whole difference. */
  ahead: readonly LedgerEntryRow[];
  swapped: Swap[];
}

export interface Swap {
  source: string;
  out: LedgerEntryRow;
  in: LedgerEntryRow;
}

interface Tally {
  opening: string;
  /** By deposit, withdrawal, or what else moved money; what each moved in all. */
  moved: Map<string, string>;
  fees: string;
  feeSources: Set<string>;
  entries: number;
  since: string;
  sinceEntries: number;
  /** Not older than the balance: it may lag behind them. */
  newest: LedgerEntryRow[];
}

/** Adds up ledger entries as they come. Exact; amounts of one asset are never added to those of another. */
export function createSums({ from, to }: Bounds, opening: ReadonlyMap<string, string>, now: ReadonlyMap<string, Now>) {
  const tallies = new Map<string, Tally>();
  const others = new Map<string, LedgerEntryRow[]>();
  const unplaced: LedgerEntryRow[] = [];

  function tallyOf(asset: string): Tally {
    const known = tallies.get(asset);
    if (known) return known;
    const tally: Tally = {
      opening: opening.get(asset) ?? '0',
      moved: new Map(),
      fees: '0',
      feeSources: new Set(),
      entries: 0,
      since: '0',
      sinceEntries: 0,
      newest: [],
    };
    tallies.set(asset, tally);
    return tally;
  }
  for (const asset of [...opening.keys(), ...now.keys()]) tallyOf(asset);

  function move(tally: Tally, entry: LedgerEntryRow, amount: string): void {
    const source = sourceOf(entry) ?? entry.id;
    tally.entries += 1;
    if (typeof entry['type'] === 'string' && /\bfees?\b/i.test(entry['type'])) {
      tally.fees = add(tally.fees, amount);
      tally.feeSources.add(source);
      return;
    }
    tally.moved.set(source, add(tally.moved.get(source) ?? '0', amount));
    if (sourceKind(source) === 'other') others.set(source, [...(others.get(source) ?? []), entry]);
  }

  return {
    unplaced,

    add(entry: LedgerEntryRow): void {
      const { asset, amount, created_at: at } = entry;
      if (asset === null || !isAmount(amount) || !isPlausibleTime(at)) {
        unplaced.push(entry);
        return;
      }
      const tally = tallyOf(asset);
      const shownAt = now.get(asset)?.at ?? null;
      if (shownAt !== null && at >= shownAt) tally.newest.push(entry);
      if (at < from) tally.opening = add(tally.opening, amount);
      else if (at < to) move(tally, entry, amount);
      else {
        tally.since = add(tally.since, amount);
        tally.sinceEntries += 1;
      }
    },

    /** Withdrawals that left in the period, whose fees are to be told apart. */
    withdrawals(): string[] {
      const ids = [...tallies.values()].flatMap(({ moved }) => [...moved.keys()]);
      return [...new Set(ids.filter((id) => sourceKind(id) === 'withdrawals'))];
    },

    /** `feeOf`: as the withdrawal states it, where the ledger has no entry of its own for it. */
    list(feeOf: (withdrawal: string, asset: string) => string | null): AssetSum[] {
      const swaps = [...others].flatMap(([source, entries]) => {
        const pair = pairSwap(entries);
        return pair ? [{ source, ...pair }] : [];
      });
      const swapIds = new Set(swaps.map(({ source }) => source));
      return [...tallies]
        .map(([asset, tally]) => {
          const lines = linesOf(asset, tally, swapIds, feeOf);
          const closing = sum([tally.opening, ...Object.values(lines.amounts)]);
          const swapped = swaps.filter((swap) => swap.out.asset === asset || swap.in.asset === asset);
          const frozen = { asset, opening: tally.opening, ...lines.amounts, adjustments: '0', closing };
          const { since, sinceEntries, newest } = tally;
          const balance = now.get(asset) ?? null;
          return compared({ ...frozen, counts: lines.counts, since, sinceEntries, swapped, balance, newest });
        })
        .sort((a, b) => compareWords(a.asset, b.asset));
    },
  };
}

function linesOf(
  asset: string,
  { moved, fees, feeSources, entries }: Tally,
  swaps: ReadonlySet<string>,
  feeOf: (withdrawal: string, asset: string) => string | null,
) {
  const amounts = { deposits: '0', withdrawals: '0', fees, swaps: '0', other: '0' };
  const counts = { deposits: 0, withdrawals: 0, fees: feeSources.size, swaps: 0, other: 0, entries };
  for (const [source, amount] of moved) {
    const kind = swaps.has(source) ? 'swaps' : sourceKind(source);
    // What only went from one book to another, or came and went, moved nothing.
    if (equal(amount, '0') && kind !== 'other') continue;
    const fee = kind === 'withdrawals' && !feeSources.has(source) ? feeOf(source, asset) : null;
    amounts[kind] = sum([amounts[kind], amount, fee ?? '0']);
    counts[kind] += 1;
    if (fee === null || equal(fee, '0')) continue;
    amounts.fees = subtract(amounts.fees, fee);
    counts.fees += 1;
  }
  return { amounts, counts };
}

/** With what the balance says of the sums. */
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
