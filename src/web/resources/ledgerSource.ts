import { DEPOSIT_ID_PREFIX, WITHDRAWAL_ID_PREFIX } from '#src/shared/contract/contract.ts';
import type { LedgerEntryRow } from '#src/web/api/schemas.ts';
import { isAmount, isNegative } from '#src/shared/amount.ts';
import { paths } from '#src/shared/paths.ts';

/** The ID of what moved the money: the field `source`, or another field with the ID of a deposit or withdrawal. */
export function sourceOf(entry: LedgerEntryRow): string | null {
  const { source } = entry;
  if (typeof source === 'string' && source !== '') return source;
  const other = Object.entries(entry).find(([name, value]) => name !== 'id' && sourcePath(value) !== null)?.[1];
  return typeof other === 'string' ? other : null;
}

/** The page of a deposit or a withdrawal, null for an id of another kind. */
export function sourcePath(id: unknown): string | null {
  if (typeof id !== 'string') return null;
  const kind = sourceKind(id);
  return kind === 'other' ? null : kind === 'deposits' ? paths.deposit(id) : paths.withdrawal(id);
}

/** The kind of an ID, by its prefix. */
export function sourceKind(id: string): 'deposits' | 'withdrawals' | 'other' {
  if (id.startsWith(DEPOSIT_ID_PREFIX)) return 'deposits';
  return id.startsWith(WITHDRAWAL_ID_PREFIX) ? 'withdrawals' : 'other';
}

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
