import { useQueryClient } from '@tanstack/react-query';
import { normalAddress } from '#src/lib/chains/names.ts';
import { type ChainChoice, chainChoices } from '#src/list/chainChoices.ts';
import { rowsRead } from '#src/list/rowsRead.ts';

interface Seen {
  chains: ChainChoice[];
  isOwnDepositAddress: (chain: string, address: string) => boolean;
}

/** What the lists read so far in this tab tell of an asset; reads nothing by itself. */
export function useSeen(account: string, asset: string): Seen {
  const rows = rowsRead(useQueryClient(), account);
  return {
    chains: chainChoices(rows, asset),
    isOwnDepositAddress: (chain, address) =>
      rows.some(
        (row) =>
          'received_amount' in row &&
          typeof row['address'] === 'string' &&
          normalAddress(chain, row['address']) === normalAddress(chain, address),
      ),
  };
}
