import { checkBase58Check } from './base58check.ts';
import { type ChainRules, isHexHash } from './rules.ts';
import { checkSegwit, startsLikeSegwit } from './segwit.ts';

const SEGWIT = { chain: 'Bitcoin', mainnet: 'bc', testnets: ['tb', 'bcrt'] };
const BASE58 = { chain: 'Bitcoin', mainnet: [0x00, 0x05], testnet: [0x6f, 0xc4] };

export const bitcoin: ChainRules = {
  checkAddress: (text) => (startsLikeSegwit(text, SEGWIT) ? checkSegwit(text, SEGWIT) : checkBase58Check(text, BASE58)),
  looksLikeTxHash: isHexHash,
  txUrl: (hash) => `https://mempool.space/tx/${encodeURIComponent(hash)}`,
  addressUrl: (address) => `https://mempool.space/address/${encodeURIComponent(address)}`,
};
