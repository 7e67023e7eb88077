import { useQuery } from '@tanstack/react-query';
import { balanceQueries } from '#src/api/balances.ts';
import type { BalanceRow } from '#src/api/schemas.ts';

export interface AssetBalance {
  /** null: not loaded yet, or none with this code. */
  balance: BalanceRow | null;
  /** Of every asset held. */
  balances: readonly BalanceRow[];
  /** Whether every row was read and understood, so that "none" may be said. */
  complete: boolean;
  failed: boolean;
  /** Unix seconds: by the service where it said so, and by this device. */
  at: number | null;
  readAt: number | null;
}

/** The balance of the asset as last read, with its "as of"; `fresh` reads it again now. */
export function useAssetBalance(account: string, asset: string, fresh = false): AssetBalance {
  const { data, isError } = useQuery({
    ...balanceQueries.list(account),
    ...(fresh ? { refetchOnMount: 'always' as const } : {}),
  });
  return {
    balance: data?.balances.find((balance) => balance.asset === asset) ?? null,
    balances: data?.balances ?? [],
    complete: data?.complete === true && data.malformed.length === 0,
    failed: isError && !data,
    at: data ? (data.date ?? data.readAt) : null,
    readAt: data?.readAt ?? null,
  };
}
