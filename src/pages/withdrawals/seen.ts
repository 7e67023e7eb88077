import { useQueryClient } from '@tanstack/react-query';
import { isObject } from '#src/api/answers.ts';
import { chainId, chainNames, normalAddress } from '#src/lib/chains/names.ts';

interface Seen {
  /** Chains of rows already read, those with this asset first, then the known ones. */
  chains: { value: string; label: string }[];
  isOwnDepositAddress: (chain: string, address: string) => boolean;
}

/** What the lists read so far in this tab tell of an asset; reads nothing by itself. */
export function useSeen(account: string, asset: string): Seen {
  const client = useQueryClient();
  const rows = [...rowsIn(client.getQueriesData({ queryKey: [account] }))];
  const ofAsset = rows.filter((row) => row['asset'] === asset);
  const names = [...ofAsset, ...rows].flatMap(({ chain }) => (typeof chain === 'string' ? [chain] : []));
  const known = chainNames.map(({ id }) => id);
  const values = [...new Set([...names, ...known])];
  return {
    chains: values.map((value) => ({ value, label: nameOf(value) })),
    isOwnDepositAddress: (chain, address) =>
      rows.some(
        (row) =>
          'received_amount' in row &&
          typeof row['address'] === 'string' &&
          normalAddress(chain, row['address']) === normalAddress(chain, address),
      ),
  };
}

function* rowsIn(entries: readonly (readonly [unknown, unknown])[]): Generator<Record<string, unknown>> {
  for (const [, data] of entries) {
    const pages = isObject(data) && Array.isArray(data['pages']) ? data['pages'] : [];
    for (const page of pages) {
      if (!isObject(page) || !Array.isArray(page['data'])) continue;
      for (const row of page['data']) if (isObject(row)) yield row;
    }
  }
}

function nameOf(chain: string): string {
  const id = chainId(chain);
  return chainNames.find((known) => known.id === id)?.name ?? chain;
}
