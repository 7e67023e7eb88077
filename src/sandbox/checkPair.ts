import { chainsOf } from './assets.ts';
import { invalid } from './refusal.ts';
import type { Queries } from '#src/database/sql.ts';

/** A 400 naming asset or chain when the account cannot use the pair. */
export async function checkPair(tx: Queries, account: string, asset: string, chain: string): Promise<void> {
  const rows = await tx.query<{ chain: string }>(
    'select chain from asset_chains where account = $1 and asset = $2 order by chain',
    [account, asset],
  );
  const chains = new Set([...rows.map((row) => row.chain), ...chainsOf(asset)]);
  if (chains.size === 0) throw invalid('asset', 'this asset is not known.');
  if (!chains.has(chain)) {
    throw invalid('chain', `${asset} does not move on this chain; it moves on ${[...chains].join(', ')}.`);
  }
}
