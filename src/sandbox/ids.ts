import { sha256 as digest } from '@noble/hashes/sha2.js';
import { base58, bech32, createBase58check } from '@scure/base';
import { randomBytes, createHash } from 'node:crypto';
import { withChecksum } from '#src/shared/chains/rules.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomToken(length: number): string {
  let token = '';
  while (token.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 × 62: larger bytes would favour the first letters.
      if (byte < 248 && token.length < length) token += ALPHABET.charAt(byte % 62);
    }
  }
  return token;
}

export type IdPrefix = 'acct_' | 'wd_' | 'dep_' | 'le_' | 'lt_' | 'req_' | 'ch_' | 'swp_' | 'da_' | 'whr_' | 'flt_';

export function newId(prefix: IdPrefix): string {
  return prefix + randomToken(22);
}

export function newApiKey(): string {
  return `sk_sandbox_${randomToken(40)}`;
}

export function sha256OfBytes(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const base58check = createBase58check(digest);

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

const versioned = (version: number, bytes: Uint8Array) => base58check.encode(Uint8Array.of(version, ...bytes));

const witness = (prefix: string, bytes: Uint8Array) => bech32.encode(prefix, [0, ...bech32.toWords(bytes)]);

/** A valid address for the chain, derived from 32 bytes; for an invented chain a plain code. */
export function addressFrom(chain: string, bytes: Uint8Array): string {
  const short = bytes.subarray(0, 20);
  switch (chain) {
    case 'bitcoin':
      return witness('bc', short);
    case 'litecoin':
      return witness('ltc', short);
    case 'dogecoin':
      return versioned(0x1e, short);
    case 'tron':
      return versioned(0x41, short);
    case 'ethereum':
    case 'polygon':
      return `0x${withChecksum(hex(short))}`;
    case 'solana':
      return base58.encode(bytes);
    default:
      return `${chain.replaceAll(/[^a-z0-9]/gi, '').slice(0, 12)}1${hex(short)}`;
  }
}

export function addressFor(chain: string, words: string): string {
  return addressFrom(chain, digest(Buffer.from(words, 'utf8')));
}

export function newTxHash(chain: string): string {
  if (chain === 'solana') return base58.encode(randomBytes(64));
  const hexOf = randomBytes(32).toString('hex');
  return chain === 'ethereum' || chain === 'polygon' ? `0x${hexOf}` : hexOf;
}
