// How ledger entries add up to the lines of a statement: for the month close and for the months of one asset.
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { isAmount, isNegative, isZero } from '#src/shared/amount.ts';
import { add, subtract } from '#src/shared/money.ts';
import { sourceKind, sourceOf } from '#src/shared/ledgerSource.ts';
import { type createPairs, isFee, type SwapLegs } from './swapPairs.ts';

export const STATEMENT_LINES = ['deposits', 'withdrawals', 'swaps', 'fees', 'other'] as const;
export type StatementLine = (typeof STATEMENT_LINES)[number];

export interface LineSums {
  amounts: Record<StatementLine, string>;
  /** Number of sources that moved something, not of entries. */
  counts: Record<StatementLine, number>;
  /** Withdrawals with an unknown fee, which are counted including it. */
  feesUnknown: number;
  /** Swaps with both legs. */
  swapped: (SwapLegs & { source: string })[];
}

const TYPES: readonly [StatementLine, RegExp][] = [
  ['deposits', /deposit/i],
  ['withdrawals', /withdrawal/i],
  ['swaps', /swap/i],
];

/**
 * The line that an entry counts in: fees, else what its source's ID says, else what its type says. Null if neither says:
 * two such legs make a swap, and the rest is "other".
 */
export function statementLineOf(entry: LedgerEntryRow): StatementLine | null {
  const type = typeof entry['type'] === 'string' ? entry['type'] : '';
  if (isFee(entry)) return 'fees';
  const kind = sourceKind(sourceOf(entry) ?? '');
  return kind === 'other' ? (TYPES.find(([, pattern]) => pattern.test(type))?.[0] ?? null) : kind;
}

/** Adds up the movements of one asset in one period, exactly. */
export function createMoves() {
  /** The net amount of each source: a move between two books is zero. */
  const sources = new Map<string, { line: StatementLine; amount: string }>();
  /** Sources that neither ID nor type names. There are few; they wait until their legs are found. */
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
      const line = statementLineOf(entry);
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

    /** Withdrawals whose fee has no ledger entry of its own. */
    uncharged(): string[] {
      const ids: string[] = [];
      for (const [id, { line, amount }] of sources)
        if (line === 'withdrawals' && isNegative(amount) && !charged.has(id)) ids.push(id);
      return ids;
    },

    /** Withdrawals with an entry, even if only for their fee. */
    withdrawals(): string[] {
      const own = [...sources].flatMap(([id, { line }]) => (line === 'withdrawals' ? [id] : []));
      return [...own, ...[...charged].filter((id) => !sources.has(id) && sourceKind(id) === 'withdrawals')];
    },

    /** Moves the fee of such a withdrawal from withdrawals to fees; null if it is unknown. */
    charge(withdrawal: string, fee: string | null): void {
      if (fee === null) feesUnknown += 1;
      else if (!isZero(fee)) {
        charged.add(withdrawal);
        amounts.fees = subtract(amounts.fees, fee);
        amounts.withdrawals = add(amounts.withdrawals, fee);
      }
    },

    /** `pairs`: where to look for the legs of a swap. */
    list(pairs: Pick<ReturnType<typeof createPairs>, 'of'>): LineSums {
      const sums: LineSums = {
        amounts: { ...amounts },
        counts: { ...counts, fees: charged.size },
        feesUnknown,
        swapped: [],
      };
      const pair = (source: string): boolean => {
        const legs = pairs.of(source);
        if (legs) sums.swapped.push({ source, ...legs });
        return legs !== null;
      };
      for (const [source, { line }] of sources) if (line === 'swaps') pair(source);
      for (const [source, amount] of unnamed) {
        const namedLine = sources.get(source)?.line;
        const line = namedLine ?? (pair(source) ? 'swaps' : 'other');
        sums.amounts[line] = add(sums.amounts[line], amount);
        if (namedLine === undefined) sums.counts[line] += 1;
      }
      return sums;
    },
  };
}

/** Unnamed sources with one leg among these entries: the other may be in another asset. */
export function unpaired(entries: readonly LedgerEntryRow[]): string[] {
  const lone = new Map<string, boolean>();
  for (const entry of entries) {
    const source = sourceOf(entry);
    if (source !== null && statementLineOf(entry) === null) lone.set(source, !lone.has(source));
  }
  return [...lone].flatMap(([source, isLone]) => (isLone ? source : []));
}
