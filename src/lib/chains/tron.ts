import { checkBase58Check } from './base58check.ts';
import { type ChainRules, isHexHash, refuse } from './rules.ts';

const BASE58 = { chain: 'Tron', mainnet: [0x41], testnet: [0xa0] };

export const tron: ChainRules = {
  checkAddress: (text) => {
    if (/^(?:0x)?41[0-9a-f]{40}$/i.test(text)) {
      return refuse('This is the hexadecimal form. Use the one that starts with T, which has a checksum.');
    }
    return checkBase58Check(text, BASE58);
  },
  looksLikeTxHash: isHexHash,
  txUrl: (hash) => `https://tronscan.org/#/transaction/${encodeURIComponent(hash)}`,
  addressUrl: (address) => `https://tronscan.org/#/address/${encodeURIComponent(address)}`,
};
