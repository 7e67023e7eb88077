// The one rule by which entries of the ledger make the lines of a statement: for the close of a month and for the months
// of one asset.
import type { LedgerEntryRow } from '#src/web/api/schemas.ts';
import { isAmount, isNegative, isZero } from '#src/shared/amount.ts';
import { add, subtract } from '#src/shared/money.ts';
import { type createPairs, isFee, sourceKind, sourceOf, type SwapLegs } from './ledgerSource.ts';

export const MOVES = ['deposits', 'withdrawals', 'swaps', 'fees', 'other'] as const;
export type Move = (typeof MOVES)[number];

export interface Moved {
  amounts: Record<Move, string>;
  /** Sources that moved something, whatever the number of their entries. */
  counts: Record<Move, number>;
  /** Withdrawals whose fee is not known: it is among the withdrawals. */
  feesUnknown: number;
  /** Swaps of which both legs are known. */
  swapped: (SwapLegs & { source: string })[];
}

const TYPES: readonly [Move, RegExp][] = [
  ['deposits', /deposit/i],
  ['withdrawals', /withdrawal/i],
  ['swaps', /swap/i],
];

/**
 * Each entry counts once: a fee as one, anything else with its source, in the line that the source's id names, else the
 * type. Null: neither does; two legs make a swap, and what is left is "other".
 */
export function lineOf(entry: LedgerEntryRow): Move | null {
  const type = typeof entry['type'] === 'string' ? entry['type'] : '';
  if (isFee(entry)) return 'fees';
  const kind = sourceKind(sourceOf(entry) ?? '');
  return kind === 'other' ? (TYPES.find(([, said]) => said.test(type))?.[0] ?? null) : kind;
}

/** Adds up what moved one asset in one period. Exact. */
export function createMoves() {
  /** What each source moved in all: entries from one book to another make nothing. */
  const sources = new Map<string, { line: Move; amount: string }>();
  /** What no id and no type names: little, and it waits until its legs are known. */
  const unnamed = new Map<string, string>();
  const charged = new Set<string>();
  const amounts = { deposits: '0', withdrawals: '0', swaps: '0', fees: '0', other: '0' };
  const counts = { deposits: 0, withdrawals: 0, swaps: 0, fees: 0, other: 0 };
  let feesUnknown = 0;
  return {
    add(entry: LedgerEntryRow): void {
      const { amount } = entry;
      if (!isAmount(amount)) throw new TypeError('Not an amount');
      const source = sourceOf(entry) ?? entry.id;
      const line = lineOf(entry);
      if (line === null) {
        unnamed.set(source, add(unnamed.get(source) ?? '0', amount));
        return;
      }
      amounts[line] = add(amounts[line], amount);
      if (line === 'fees') {
        charged.add(source);
        return;
      }
      const before = sources.get(source) ?? { line, amount: '0' };
      const after = { ...before, amount: add(before.amount, amount) };
      sources.set(source, after);
      counts[after.line] += Number(isZero(before.amount)) - Number(isZero(after.amount));
    },

    /** Withdrawals that left and whose fee the ledger does not tell apart. */
    uncharged(): string[] {
      const ids: string[] = [];
      for (const [id, { line, amount }] of sources)
        if (line === 'withdrawals' && isNegative(amount) && !charged.has(id)) ids.push(id);
      return ids;
    },

    /** Tells the fee of one of them apart; null where nobody states it. */
    charge(withdrawal: string, fee: string | null): void {
      if (fee === null) feesUnknown += 1;
      else if (!isZero(fee)) {
        charged.add(withdrawal);
        amounts.fees = subtract(amounts.fees, fee);
        amounts.withdrawals = add(amounts.withdrawals, fee);
      }
    },

    /** `pairs`: among which the legs of a source are looked for. */
    list(pairs: Pick<ReturnType<typeof createPairs>, 'of'>): Moved {
      const moved: Moved = {
        amounts: { ...amounts },
        counts: { ...counts, fees: charged.size },
        feesUnknown,
        swapped: [],
      };
      const pair = (source: string): boolean => {
        const legs = pairs.of(source);
        if (legs) moved.swapped.push({ source, ...legs });
        return legs !== null;
      };
      for (const [source, { line }] of sources) if (line === 'swaps') pair(source);
      for (const [source, amount] of unnamed) {
        const known = sources.get(source)?.line;
        const line = known ?? (pair(source) ? 'swaps' : 'other');
        moved.amounts[line] = add(moved.amounts[line], amount);
        if (known === undefined) moved.counts[line] += 1;
      }
      return moved;
    },
  };
}

/** Sources of which neither id nor type says what they are, and one leg is there: the other is in another asset. */
export function unpaired(entries: readonly LedgerEntryRow[]): string[] {
  const lone = new Map<string, boolean>();
  for (const entry of entries) {
    const source = sourceOf(entry);
    if (source !== null && lineOf(entry) === null) lone.set(source, !lone.has(source));
  }
  return [...lone].flatMap(([source, isLone]) => (isLone ? source : []));
}
