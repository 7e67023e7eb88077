import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { type AddressCheck, refuse } from './rules.ts';

const coder = createBase58check(sha256);
const ALPHABET = /^[1-9A-HJ-NP-Za-km-z]+$/;

export interface Base58Versions {
  chain: string;
  mainnet: readonly number[];
  testnet: readonly number[];
}

/** Checks a base58check address of one version byte and a 20-byte hash. */
export function checkBase58Check(text: string, { chain, mainnet, testnet }: Base58Versions): AddressCheck {
  if (!ALPHABET.test(text)) return refuse(`This is not a ${chain} address: a character in it does not occur in them.`);
  let bytes: Uint8Array;
  try {
    bytes = coder.decode(text);
  } catch {
    return refuse(
      `This is not a ${chain} address, or a character of it is wrong or missing: the checksum does not match.`,
    );
  }
  const version = bytes[0] ?? -1;
  if (bytes.length !== 21) return refuse(`Wrong length for a ${chain} address.`);
  if (mainnet.includes(version)) return { ok: true };
  if (testnet.includes(version)) return refuse(`This is a testnet address: real ${chain} would be lost.`);
  return refuse(`This is not a ${chain} address: it belongs to another network.`);
}
