import { sourceOf, sourcePath } from '#src/shared/ledgerSource.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { isAmount, isNegative } from '#src/shared/amount.ts';

export type SwapLegs = NonNullable<ReturnType<typeof pairSwap>>;

/**
 * The two legs of a swap: two entries of one source in two assets, one out and one in, and no transaction on a chain.
 * Null for any other entries.
 */
export function pairSwap(entries: readonly LedgerEntryRow[]) {
  const [one, two] = entries;
  if (!one || !two || entries.length > 2 || one.asset === two.asset) return null;
  if (entries.some((entry) => sourcePath(sourceOf(entry)) !== null || (entry['tx_hash'] ?? '') !== '')) return null;
  if (isOut(one) === isOut(two)) return null;
  return isOut(one) ? { out: one, in: two } : { out: two, in: one };
}

/** By its type, such as "fee" or "network_fee". */
export function isFee({ type }: LedgerEntryRow): boolean {
  return typeof type === 'string' && /(?:^|[^a-z])fees?(?:[^a-z]|$)/i.test(type);
}

/** Pairs the legs of swaps. It holds only entries of sources that are no payments, of which there are few. */
export function createPairs() {
  const legs = new Map<string, Map<string, LedgerEntryRow>>();
  return {
    add(entry: LedgerEntryRow): void {
      const source = sourceOf(entry);
      if (source === null || sourcePath(source) !== null || isFee(entry)) return;
      const entries = legs.get(source) ?? new Map<string, LedgerEntryRow>();
      legs.set(source, entries.set(entry.id, entry));
    },
    of: (source: string | null) => pairSwap([...(legs.get(source ?? '')?.values() ?? [])]),
    clear: () => legs.clear(),
  };
}

function isOut({ amount }: LedgerEntryRow): boolean {
  return isAmount(amount) && isNegative(amount);
}
