import { isAmount } from '#src/shared/amount.ts';
import { compare, subtract } from '#src/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { balanceQueries } from '#src/web/api/balances.ts';
import { useSession } from '#src/web/api/session.ts';

export type AssetBalance = ReturnType<typeof useAssetBalance>;

export function useAssetBalance(asset: string, fresh = false) {
  const { account } = useSession();
  const { data, isError } = useQuery({
    ...balanceQueries.list(account),
    ...(fresh && { refetchOnMount: 'always' }),
  });
  return {
    /** null if not loaded, or if no balance has this code. */
    balance: data?.balances.find((balance) => balance.asset === asset) ?? null,
    balances: data?.balances ?? [],
    /** Whether every row was loaded and valid, so that a missing asset has no balance. */
    complete: data?.complete === true && data.malformed.length === 0,
    failed: isError && !data,
    read: data,
  };
}

/** Whether an amount is more than what is available; false if either can't be read. */
export function isMoreThan(amount: string, available: unknown): boolean {
  return isAmount(amount) && isAmount(available) && compare(amount, available) > 0;
}

/** What is left after a payment, without its fee, which isn't known yet; null if an amount is invalid or less is available. */
export function availableAfter(available: unknown, amount: string): string | null {
  if (!isAmount(available) || !isAmount(amount) || isMoreThan(amount, available)) return null;
  return subtract(available, amount);
}
