import { checkBase58Check } from './base58check.ts';
import { type ChainRules, isHexHash } from './rules.ts';
import { checkSegwit, startsLikeSegwit } from './segwit.ts';

const SEGWIT = { chain: 'Litecoin', mainnet: 'ltc', testnets: ['tltc', 'rltc'] };
// The old script version 0x05 is refused: such an address ("3…") cannot be told from Bitcoin's.
const BASE58 = { chain: 'Litecoin', mainnet: [0x30, 0x32], testnet: [0x6f, 0x3a, 0xc4] };

export const litecoin: ChainRules = {
  checkAddress: (text) => (startsLikeSegwit(text, SEGWIT) ? checkSegwit(text, SEGWIT) : checkBase58Check(text, BASE58)),
  looksLikeTxHash: isHexHash,
  txUrl: (hash) => `https://litecoinspace.org/tx/${encodeURIComponent(hash)}`,
  addressUrl: (address) => `https://litecoinspace.org/address/${encodeURIComponent(address)}`,
};
