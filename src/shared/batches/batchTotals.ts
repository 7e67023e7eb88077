import { isAmount } from '#src/shared/amount.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { compare, subtract, sum } from '#src/shared/money.ts';
import type { BatchLineView } from '#src/shared/contract/batchContract.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';

export interface BatchTotal {
  asset: string;
  payments: number;
  amount: string;
  /** Null if unknown. */
  available: string | null;
  /** Available minus amount, before fees; null if `available` is unknown or too low. */
  after: string | null;
  isShort: boolean;
}

interface Balances {
  balances: readonly { asset: string; available?: unknown }[];
  /** All balances are listed, so an asset that isn't among them was never held. */
  complete: boolean;
}

/** Returns the exact sum of an asset's payments on one chain that wait to be sent; null if none waits. */
export function amountsLeft(
  lines: readonly Pick<BatchLineView, 'state' | 'body'>[],
): (asset: string, chain: string) => string | null {
  const waiting = lines.flatMap(({ state, body }) => (state === 'awaiting' ? (readWithdrawalBody(body) ?? []) : []));
  const keyOf = (asset: string, chain: string): string => JSON.stringify([asset, chain]);
  const groups = groupBy(waiting, ({ asset, chain }) => keyOf(asset, chain));
  return (asset, chain) => {
    const group = groups.get(keyOf(asset, chain));
    return group === undefined ? null : sum(group.map(({ amount }) => amount));
  };
}

/** Exact, by asset code. */
export function batchTotals(payments: readonly WithdrawalFields[], { balances, complete }: Balances): BatchTotal[] {
  return [...groupBy(payments, ({ asset }) => asset)].map(([asset, group]) => {
    const amount = sum(group.map((payment) => payment.amount));
    const balance = balances.find((each) => each.asset === asset);
    const available = balance ? balance.available : complete ? '0' : null;
    if (!isAmount(available))
      return { asset, payments: group.length, amount, available: null, after: null, isShort: false };
    const isShort = compare(amount, available) > 0;
    return {
      asset,
      payments: group.length,
      amount,
      available,
      after: isShort ? null : subtract(available, amount),
      isShort,
    };
  });
}
