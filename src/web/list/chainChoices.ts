import { type ChainId, chainId, chainLabel, chainNames } from '#src/shared/chains/names.ts';
import type { Option } from '#src/web/ui/Combobox.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { codeWarning } from '#src/shared/assetCode.ts';
import { visibleCode } from '#src/shared/text.ts';
import { balanceQueries } from '#src/web/api/balances.ts';
import { overviewQuery } from '#src/web/api/overview.ts';
import { useSession } from '#src/web/api/session.ts';
import { rowsRead } from './rows/loadedRows.ts';

/** The chain whose native coin an asset is. */
const NATIVE: ReadonlyMap<string, ChainId> = new Map(
  Object.entries({
    BTC: 'bitcoin',
    ETH: 'ethereum',
    SOL: 'solana',
    LTC: 'litecoin',
    DOGE: 'dogecoin',
    TRX: 'tron',
    POL: 'polygon',
    MATIC: 'polygon',
    BNB: 'bsc',
    AVAX: 'avalanche',
  }),
);
const STABLE: readonly ChainId[] = ['tron', 'ethereum', 'solana', 'polygon', 'bsc', 'arbitrum', 'base', 'avalanche'];
const FURTHER: ReadonlyMap<string, readonly ChainId[]> = new Map(
  Object.entries({
    ETH: ['arbitrum', 'base', 'optimism', 'polygon'],
    USDT: STABLE,
    USDC: STABLE.slice(1),
  }),
);

export function chainsOfAsset(asset: string): readonly ChainId[] {
  const native = NATIVE.get(asset);
  const further = FURTHER.get(asset) ?? [];
  return native === undefined ? further : [native, ...further];
}

function chainTerms(chain: string): string {
  const id = chainId(chain);
  const known = chainNames.find((each) => each.id === id);
  return known ? `${known.name} ${known.aliases.join(' ')}` : '';
}

type AssetOnChain = Readonly<Record<string, unknown>> | { asset: string | null; chain: string };

export interface ChainChoices {
  options: Option[];
  /** Chains on which this asset was seen here; if none, the chain whose native coin it is. */
  likely: string[];
  fits: (chain: string) => boolean;
}

/**
 * Chains to choose from, because no endpoint lists them: those where the asset was seen here or is well known, as the
 * service spells them; all known chains for an unknown asset.
 */
export function chainChoices(seen: readonly AssetOnChain[], asset: string): ChainChoices {
  const ofAsset = namesIn(seen.filter((row) => row.asset === asset));
  const known = chainsOfAsset(asset);
  const spelled = namesIn(seen);
  const own = distinct([...ofAsset, ...known.map((id) => spelled.find((name) => chainId(name) === id) ?? id)]);
  const values = own.length > 0 ? own : distinct([...spelled, ...chainNames.map(({ id }) => id)]);
  const native = NATIVE.get(asset);
  return {
    options: values.map((value) => ({ value, label: chainLabel(value), terms: chainTerms(value) })),
    likely: ofAsset.length > 0 || native === undefined ? ofAsset : [native],
    fits: (chain) => own.length === 0 || own.some((each) => sameChain(each, chain)),
  };
}

/** The service's spelling of a chain, if it was seen here. */
export function spellingOf(chain: string, { options }: ChainChoices): string {
  return options.find(({ value }) => sameChain(value, chain))?.value ?? chain;
}

export function sameChain(one: string, other: string): boolean {
  return (chainId(one) ?? one.trim()) === (chainId(other) ?? other.trim());
}

function namesIn(rows: readonly AssetOnChain[]): string[] {
  return distinct(rows.flatMap(({ chain }) => (typeof chain === 'string' && chain !== '' ? [chain] : [])));
}

function distinct(names: readonly string[]): string[] {
  return names.filter((name, at) => names.findIndex((other) => sameChain(other, name)) === at);
}

export function assetOption(code: string): Option {
  return { value: code, label: visibleCode(code) };
}

/** Suggestions for a form's asset and chain, because no endpoint lists them: held assets, and the chains they move on. */
export function useFieldChoices(asset: string) {
  const { account } = useSession();
  const client = useQueryClient();
  const { data } = useQuery(balanceQueries.list(account));
  const { data: overview } = useQuery(overviewQuery(account));
  const held = data?.balances.map((balance) => balance.asset) ?? [];
  return {
    assets: held.map(assetOption),
    chains: chainChoices([...rowsRead(client, account), ...(overview?.words.pairs ?? [])], asset),
    warning: codeWarning(asset, held),
  };
}
