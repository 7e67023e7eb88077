import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type AddressCheck, type ChainRules, refuse } from './rules.ts';

/** The rules of a chain with Ethereum's addresses; they differ in the explorer alone. */
export function evm(explorer: string): ChainRules {
  return {
    checkAddress,
    looksLikeTxHash: (text) => /^0x[0-9a-f]{64}$/i.test(text),
    txUrl: (hash) => `${explorer}/tx/${encodeURIComponent(hash)}`,
    addressUrl: (address) => `${explorer}/address/${encodeURIComponent(address)}`,
  };
}

function checkAddress(text: string): AddressCheck {
  if (/^[0-9a-f]{40}$/i.test(text)) return refuse('The 0x in front is missing.');
  if (!/^0x[0-9a-f]+$/i.test(text))
    return refuse('Such addresses start with 0x, followed by 40 characters from 0 to 9 and a to f.');
  if (!text.startsWith('0x')) return refuse('It must start with 0x, with a small x.');
  if (text.length !== 42) return refuse(`It has ${text.length - 2} characters after 0x instead of 40.`);
  const digits = text.slice(2);
  if (/^0+$/.test(digits)) return refuse('This is the zero address: nobody can spend from it.');
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (digits === withChecksum(digits.toLowerCase())) return { ok: true };
  if (oneCase) return { ok: true, unchecked: true };
  return refuse('There’s a typo in this address (checksum doesn’t match).');
}

/** EIP-55: a letter is a capital where the hash has 8 or more. */
function withChecksum(lower: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  return Array.from(lower, (digit, at) => ((hash[at] ?? '0') >= '8' ? digit.toUpperCase() : digit)).join('');
}
