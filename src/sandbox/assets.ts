import type { Queries } from '#src/server/database/sql.ts';
import { invalid } from './outcome.ts';

export type AssetPlan = ReturnType<typeof plan>;

const plan = (
  asset: string,
  chain: string,
  /** Number of decimals. */
  scale: number,
  /** A typical deposit amount. */
  typical: number,
  /** Fee per withdrawal, deducted from its amount. */
  fee: string,
  opening: string,
  /** Time from a deposit's arrival to its completion. */
  confirmSeconds: number,
  /** Share of deposits, relative to the other assets' weights. */
  weight: number,
) => ({ asset, chain, scale, typical, fee, opening, confirmSeconds, weight });

export const ASSETS: readonly AssetPlan[] = [
  plan('BTC', 'bitcoin', 8, 0.03, '0.0001', '12', 1800, 24),
  plan('ETH', 'ethereum', 18, 0.6, '0.0008', '180', 180, 22),
  plan('USDT', 'tron', 6, 900, '1', '250000', 60, 20),
  plan('SOL', 'solana', 9, 9, '0.005', '2500', 30, 10),
  plan('LTC', 'litecoin', 8, 7, '0.001', '1500', 900, 6),
  plan('USDC', 'polygon', 6, 450, '0.1', '120000', 120, 12),
  plan('DOGE', 'dogecoin', 8, 2400, '2', '600000', 600, 6),
];

/** Pairs of asset and chain that any account may use in addition to the seven. */
const FURTHER_PAIRS: readonly (readonly [string, string])[] = [
  ['USDT', 'ethereum'],
  ['USDT', 'polygon'],
  ['USDT', 'solana'],
  ['USDC', 'ethereum'],
  ['USDC', 'solana'],
  ['ETH', 'polygon'],
];

/** The chains of one of the seven assets; empty for any other asset. */
export function chainsOf(asset: string): string[] {
  const pairs = [...ASSETS.map((plan) => [plan.asset, plan.chain] as const), ...FURTHER_PAIRS];
  return pairs.flatMap(([code, chain]) => (code === asset ? [chain] : []));
}

const letter = (n: number) => String.fromCharCode(65 + (n % 26));

const INVENTED = /^X[A-Z]{2}\d+$/;

function invented(index: number): AssetPlan {
  const asset = `X${letter(Math.floor(index / 26))}${letter(index)}${1 + Math.floor(index / 676)}`;
  return plan(asset, `${asset.toLowerCase()}-chain`, 6, 40, '0.01', '5000', 300, 1);
}

/** The first `count` assets: the seven, then invented ones, each on its own chain. */
export function assetPlans(count: number): AssetPlan[] {
  return Array.from({ length: count }, (_, index) => ASSETS[index] ?? invented(index - ASSETS.length));
}

const planOf = (asset: string) => ASSETS.find((known) => known.asset === asset);

export const feeOf = (asset: string) => planOf(asset)?.fee ?? (INVENTED.test(asset) ? '0.01' : '0');
export const scaleOf = (asset: string) => planOf(asset)?.scale ?? 0;
export const confirmSecondsOf = (asset: string) => planOf(asset)?.confirmSeconds ?? 300;

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
