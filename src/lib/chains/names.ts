// The only list of chains: what a service may call them, without anything that checks addresses, so that it weighs nothing.

import { folded } from '#src/lib/text.ts';

interface ChainName {
  /** Folded: lower case, no spaces, dashes or underscores. */
  id: string;
  name: string;
  aliases: readonly string[];
}

export const chainNames = [
  { id: 'bitcoin', name: 'Bitcoin', aliases: ['btc', 'xbt', 'bitcoinmainnet'] },
  { id: 'ethereum', name: 'Ethereum', aliases: ['eth', 'erc20', 'ethereummainnet'] },
  { id: 'tron', name: 'Tron', aliases: ['trx', 'trc20', 'tronmainnet'] },
  { id: 'solana', name: 'Solana', aliases: ['sol', 'spl', 'solanamainnet'] },
  { id: 'litecoin', name: 'Litecoin', aliases: ['ltc', 'litecoinmainnet'] },
  { id: 'polygon', name: 'Polygon', aliases: ['matic', 'pol', 'polygonpos', 'polygonmainnet'] },
  { id: 'dogecoin', name: 'Dogecoin', aliases: ['doge', 'dogecoinmainnet'] },
  { id: 'bsc', name: 'BNB Smart Chain', aliases: ['bep20', 'bnb', 'bnbchain', 'bnbsmartchain', 'binancesmartchain'] },
  { id: 'arbitrum', name: 'Arbitrum One', aliases: ['arb', 'arbitrumone'] },
  { id: 'base', name: 'Base', aliases: ['basemainnet'] },
  { id: 'optimism', name: 'OP Mainnet', aliases: ['op', 'opmainnet', 'optimismmainnet'] },
  { id: 'avalanche', name: 'Avalanche C-Chain', aliases: ['avax', 'avaxc', 'avalanchec', 'avalanchecchain', 'cchain'] },
] as const satisfies readonly ChainName[];

export type ChainId = (typeof chainNames)[number]['id'];

/** The id of a chain by any of its names, in any case; undefined for one that this product does not know. */
export function chainId(chain: string): ChainId | undefined {
  // "Bitcoin (mainnet)" is one of its names, too.
  const folded = chain.toLowerCase().replace(/[\s_()-]/g, '');
  return chainNames.find(({ id, aliases }) => id === folded || aliases.some((alias) => alias === folded))?.id;
}

/** Equal for all names of one chain; one that is not known here by its own. */
export function chainForm(chain: string): string {
  return chainId(chain) ?? folded(chain);
}

const EVM = new Set<ChainId>(['ethereum', 'polygon', 'bsc', 'arbitrum', 'base', 'optimism', 'avalanche']);

export function isEvm(id: ChainId): boolean {
  return EVM.has(id);
}

const HEX = /^0x[0-9a-f]+$/i;
/** A prefix, a 1 and letters of bech32 in one case: the same address in the other. Base58 has both cases, and is exact. */
const BECH32 = /^(?:[a-z]{1,20}1[ac-hj-np-z02-9]{6,}|[A-Z]{1,20}1[AC-HJ-NP-Z02-9]{6,})$/;
const BASE58_ONLY = new Set<ChainId | undefined>(['tron', 'solana', 'dogecoin']);

/** An address in its chain's normal form, for comparing: hex and bech32 in lower case, base58 exact; folded on chains that are not known, too. */
export function normalAddress(chain: string, address: string): string {
  const text = address.trim();
  const id = chainId(chain);
  const isFolded = (id !== undefined && isEvm(id)) || HEX.test(text) || (BECH32.test(text) && !BASE58_ONLY.has(id));
  return isFolded ? text.toLowerCase() : text;
}

/** The name of a known chain by any of its names; any other as it is. */
export function chainLabel(chain: string): string {
  const id = chainId(chain);
  return chainNames.find((known) => known.id === id)?.name ?? chain;
}

const NATIVE: Readonly<Record<string, ChainId>> = {
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
};
const STABLE: readonly ChainId[] = ['tron', 'ethereum', 'solana', 'polygon', 'bsc', 'arbitrum', 'base', 'avalanche'];
const FURTHER: Readonly<Record<string, readonly ChainId[]>> = {
  ETH: ['arbitrum', 'base', 'optimism', 'polygon'],
  USDT: STABLE,
  USDC: STABLE.slice(1),
};

/** The chain that an asset is the coin of; undefined for a token, and for one that is not known here. */
export function nativeChain(asset: string): ChainId | undefined {
  return Object.hasOwn(NATIVE, asset) ? NATIVE[asset] : undefined;
}

/** The chains on which a well-known asset moves, its own first; none for any other. */
export function chainsOfAsset(asset: string): readonly ChainId[] {
  const native = nativeChain(asset);
  const further = Object.hasOwn(FURTHER, asset) ? (FURTHER[asset] ?? []) : [];
  return native === undefined ? further : [native, ...further];
}

/** All that a chain may be called, for finding it. */
export function chainTerms(chain: string): string {
  const id = chainId(chain);
  const known = chainNames.find((each) => each.id === id);
  return known ? `${known.name} ${known.aliases.join(' ')}` : '';
}
