import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { isAmount, isNegative, isZero } from '#src/shared/amount.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { sameAmount } from '#src/shared/operations/compare.ts';
import { textOrJson, revealHidden } from '#src/shared/text.ts';
import { isPlausibleTime } from '#src/shared/time.ts';

/** One ledger transaction: "99 USDT moved from available to locked". */
export interface LedgerMovement {
  amount: string;
  asset: string | null;
  words: string;
}

export type MovedTogether = ReturnType<typeof movedTogether>;

export type LedgerRoles = Record<'begun' | 'released' | 'left' | 'other', MovedTogether[]>;

/** Sorts ledger entries by role. In the contract's model, money in flight is locked or pending, and then released. */
export function ledgerRoles(kind: 'deposit' | 'withdrawal', entries: readonly LedgerEntryRow[]): LedgerRoles {
  const inFlightBook = kind === 'deposit' ? 'pending' : 'locked';
  const moved: LedgerRoles = { begun: [], released: [], left: [], other: [] };
  const together = groupBy(entries, ({ id, transaction }) =>
    typeof transaction === 'string' ? `t ${transaction}` : `e ${id}`,
  );
  for (const group of together.values()) moved[roleOf(inFlightBook, group)].push(movedTogether(group));
  return moved;
}

function roleOf(inFlightBook: string, entries: readonly LedgerEntryRow[]): keyof LedgerRoles {
  const booked = entries.filter(({ amount }) => isAmount(amount) && !isZero(amount));
  const isMoved = (book: string, isOut: boolean) =>
    booked.some((entry) => entry['book'] === book && isNegative(textOrJson(entry.amount)) === isOut);
  if (isMoved(inFlightBook, false)) return 'begun';
  if (isMoved('available', false)) return 'released';
  return isMoved(inFlightBook, true) ? 'left' : 'other';
}

function movedTogether(entries: readonly LedgerEntryRow[]) {
  return {
    at: entries.map(({ created_at }) => created_at).find(isPlausibleTime) ?? null,
    ids: entries.map(({ id }) => id),
    moves: movesOf(entries),
  };
}

function movesOf(entries: readonly LedgerEntryRow[]): LedgerMovement[] {
  const [a, b] = entries.toSorted(
    (one, two) => Number(isNegative(textOrJson(two.amount))) - Number(isNegative(textOrJson(one.amount))),
  );
  if (a && b && entries.length === 2 && isAmount(a.amount) && isAmount(b.amount) && a.asset === b.asset) {
    if (isNegative(a.amount) && sameAmount(positive(a.amount), b.amount))
      return [{ amount: b.amount, asset: b.asset, words: `moved from ${bookOf(a)} to ${bookOf(b)}` }];
  }
  return entries.flatMap((entry) => {
    const { amount, asset } = entry;
    if (!isAmount(amount)) return [];
    // Pending money was never credited.
    const out = entry['book'] === 'pending' ? 'removed from pending' : 'left your balance';
    const words = isNegative(amount) ? out : `added to ${bookOf(entry)}`;
    return [{ amount: positive(amount), asset, words }];
  });
}

function bookOf({ book }: LedgerEntryRow): string {
  return typeof book === 'string' ? revealHidden(book.slice(0, 40)) : 'an unnamed book';
}

function positive(amount: string): string {
  return amount.replace(/^-/, '');
}
