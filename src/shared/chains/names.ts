// The only list of chains and their names. Address checks are elsewhere, to keep this file small.

import { folded } from '#src/shared/text.ts';

interface ChainName {
  /** In lower case, without spaces, dashes or underscores. */
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
  { id: 'arbitrum', name: 'Arbitrum One', aliases: ['arb', 'arb1', 'arbitrumone'] },
  { id: 'base', name: 'Base', aliases: ['basemainnet'] },
  { id: 'optimism', name: 'OP Mainnet', aliases: ['op', 'oeth', 'opmainnet', 'optimismmainnet'] },
  {
    id: 'avalanche',
    name: 'Avalanche C-Chain',
    aliases: ['avax', 'avaxc', 'avalanchec', 'avalanchecchain', 'avaxcchain', 'cchain'],
  },
] as const satisfies readonly ChainName[];

export type ChainId = (typeof chainNames)[number]['id'];

/** Longer texts are not split into names. */
const LONGEST_NAME = 100;

/**
 * The id of a chain by any of its names, in any case, or by several names of the same chain, as exchanges write them:
 * "ETH (ERC20)", "Polygon(MATIC)", "TRX-TRC20". Undefined for a chain that isn't in the list.
 */
export function chainId(chain: string): ChainId | undefined {
  return idOfName(chain) ?? (chain.length > LONGEST_NAME ? undefined : idOfNames(chain));
}

function idOfName(chain: string): ChainId | undefined {
  // "Bitcoin (mainnet)" as a whole is a name too.
  const name = chain.toLowerCase().replace(/[\s_()[\]（）-]/g, '');
  return chainNames.find(({ id, aliases }) => id === name || aliases.some((alias) => alias === name))?.id;
}

function idOfNames(chain: string): ChainId | undefined {
  for (const { index, 0: separator } of chain.matchAll(/[^\p{L}\p{N}]+/gu)) {
    const id = idOfName(chain.slice(0, index));
    const rest = chain.slice(index + separator.length);
    if (id !== undefined && (idOfName(rest) ?? idOfNames(rest)) === id) return id;
  }
  return undefined;
}

/** Equal for all names of one chain; an unknown chain is compared by its own name. */
export function chainForm(chain: string): string {
  return chainId(chain) ?? folded(chain);
}

export function chainLabel(chain: string): string {
  const id = chainId(chain);
  return chainNames.find((known) => known.id === id)?.name ?? chain;
}

const EVM = new Set<ChainId>(['ethereum', 'polygon', 'bsc', 'arbitrum', 'base', 'optimism', 'avalanche']);

export function isEvm(id: ChainId): boolean {
  return EVM.has(id);
}
