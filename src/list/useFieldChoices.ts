import { useQuery, useQueryClient } from '@tanstack/react-query';
import { balanceQueries } from '#src/api/balances.ts';
import type { Option } from '#src/ui/Combobox.tsx';
import { type ChainChoices, chainChoices } from './chainChoices.ts';
import { rowsRead } from './rows/loadedRows.ts';

interface FieldChoices {
  assets: Option[];
  chains: ChainChoices;
  /** What to say of an asset that is written differently from one that the account holds. */
  warning: string | undefined;
}

/** What a form suggests for its asset and chain, as no endpoint names them: assets held, and where they move. */
export function useFieldChoices(account: string, asset: string): FieldChoices {
  const client = useQueryClient();
  const { data } = useQuery(balanceQueries.list(account));
  const held = data?.balances.map((balance) => balance.asset) ?? [];
  const meant = held.find((code) => code.toLowerCase() === asset.toLowerCase());
  return {
    assets: held.map((code) => ({ value: code })),
    chains: chainChoices(rowsRead(client, account), asset),
    warning: meant === undefined || meant === asset ? undefined : `You hold “${meant}”. Codes are case-sensitive.`,
  };
}
