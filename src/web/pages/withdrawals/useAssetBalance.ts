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
    /** null: not loaded yet, or none with this code. */
    balance: data?.balances.find((balance) => balance.asset === asset) ?? null,
    balances: data?.balances ?? [],
    /** Whether every row was read and understood, so that "none" may be said. */
    complete: data?.complete === true && data.malformed.length === 0,
    failed: isError && !data,
    read: data,
  };
}
