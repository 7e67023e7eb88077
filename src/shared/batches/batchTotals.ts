import { isAmount } from '#src/shared/amount.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { compare, subtract, sum } from '#src/shared/money.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';

export interface BatchTotal {
  asset: string;
  payments: number;
  amount: string;
  /** Null if it isn't known. */
  available: string | null;
  /** What is left of it, before fees; null if that isn't known, or if less is available. */
  after: string | null;
  isShort: boolean;
}

interface Balances {
  balances: readonly { asset: string; available?: unknown }[];
  /** An asset that isn't among them was never held. */
  complete: boolean;
}

/** Exact, by asset code. */
export function batchTotals(payments: readonly WithdrawalFields[], { balances, complete }: Balances): BatchTotal[] {
  return [...groupBy(payments, ({ asset }) => asset)].map(([asset, of]) => {
    const amount = sum(of.map((each) => each.amount));
    const balance = balances.find((each) => each.asset === asset);
    const available = balance ? balance.available : complete ? '0' : null;
    if (!isAmount(available))
      return { asset, payments: of.length, amount, available: null, after: null, isShort: false };
    const isShort = compare(amount, available) > 0;
    return {
      asset,
      payments: of.length,
      amount,
      available,
      after: isShort ? null : subtract(available, amount),
      isShort,
    };
  });
}
