import type { ChainId } from './names.ts';

/** EVM chains by the ID that wallets and payment links use (EIP-155). */
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

/** Undefined for a chain without rules here, such as a test network. */
export function chainOfEvmId(id: string): ChainId | undefined {
  return Object.hasOwn(EVM_CHAIN_IDS, id) ? EVM_CHAIN_IDS[id] : undefined;
}
