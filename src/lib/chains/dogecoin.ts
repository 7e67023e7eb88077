import { checkBase58Check } from './base58check.ts';
import { type ChainRules, isHexHash } from './rules.ts';

const BASE58 = { chain: 'Dogecoin', mainnet: [0x1e, 0x16], testnet: [0x71, 0x6f, 0xc4] };

export const dogecoin: ChainRules = {
  checkAddress: (text) => checkBase58Check(text, BASE58),
  looksLikeTxHash: isHexHash,
  txUrl: (hash) => `https://blockchair.com/dogecoin/transaction/${encodeURIComponent(hash)}`,
  addressUrl: (address) => `https://blockchair.com/dogecoin/address/${encodeURIComponent(address)}`,
};
