// The only list of chains: what a service may call them, without anything that checks addresses, so that it weighs nothing.

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
  const folded = chain.toLowerCase().replace(/[\s_-]/g, '');
  return chainNames.find(({ id, aliases }) => id === folded || aliases.some((alias) => alias === folded))?.id;
}

const EVM = new Set<ChainId>(['ethereum', 'polygon', 'bsc', 'arbitrum', 'base', 'optimism', 'avalanche']);

/** Whether a chain has Ethereum's addresses. */
export function isEvm(id: ChainId): boolean {
  return EVM.has(id);
}

/** An address in its chain's normal form, for comparing: hex and bech32 in lower case, base58 exact; of an unknown chain only trimmed. */
export function normalAddress(chain: string, address: string): string {
  const text = address.trim();
  const id = chainId(chain);
  if (id === undefined) return text;
  const folds = isEvm(id) || (id === 'bitcoin' && /^bc1/i.test(text)) || (id === 'litecoin' && /^ltc1/i.test(text));
  return folds ? text.toLowerCase() : text;
}
