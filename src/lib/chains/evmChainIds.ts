import type { ChainId } from './names.ts';

/** Chains by their EIP-155 ID, by which wallets of Ethereum and the chains like it name them. */
const EVM_CHAIN_IDS: Readonly<Record<string, ChainId>> = {
  '1': 'ethereum',
  '10': 'optimism',
  '56': 'bsc',
  '137': 'polygon',
  '8453': 'base',
  '42161': 'arbitrum',
  '43114': 'avalanche',
};

export function isEvmChainId(chain: string): boolean {
  return /^\d+$/.test(chain);
}

/** undefined: not a chain that this product knows, such as a test network. */
export function chainOfEvmId(id: string): ChainId | undefined {
  return Object.hasOwn(EVM_CHAIN_IDS, id) ? EVM_CHAIN_IDS[id] : undefined;
}
