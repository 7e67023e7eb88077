import { sha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad, bech32, createBase58check } from '@scure/base';
import { type ChainId, chainForm, chainId } from './names.ts';

// Chains on which one account has several spellings. Each is decoded and its checksum verified, so that a mistyped
// address is never treated as the intended account.

const base58check = createBase58check(sha256);

/** The usual spelling of an account on a chain with several; null if the text isn't such an address. */
export function usualSpelling(chain: string, text: string): string | null {
  const id = chainId(chain);
  return id === undefined ? onOtherChain(chain, text) : (OF_CHAIN[id]?.(text) ?? null);
}

const OF_CHAIN: Partial<Record<ChainId, (text: string) => string | null>> = {
  // The older "3…" form has the same version byte as Bitcoin's.
  litecoin: (text) => {
    const bytes = text.startsWith('3') ? fromBase58(text) : null;
    return bytes?.[0] === 0x05 ? toBase58(0x32, bytes.subarray(1)) : null;
  },
  tron: (text) => {
    const [, hex] = /^(?:0x)?41([0-9a-f]{40})$/i.exec(text) ?? [];
    return hex === undefined ? null : toBase58(0x41, fromHex(hex));
  },
};

/** For chains without rules here: recognized by format and checksum alone. */
function onOtherChain(chain: string, text: string): string | null {
  return tonAddress(text) ?? cashAddress(text) ?? legacyCashAddress(chain, text) ?? paddedHex(text);
}

function fromBase58(text: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{26,35}$/.test(text)) return null;
  try {
    const bytes = base58check.decode(text);
    return bytes.length === 21 ? bytes : null;
  } catch {
    return null;
  }
}

function toBase58(version: number, hash: Uint8Array): string {
  return base58check.encode(Uint8Array.of(version, ...hash));
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

const TON_BOUNCEABLE = 0x11;
const TON_NON_BOUNCEABLE = 0x51;
const TON_WORKCHAINS: Readonly<Record<string, number>> = { '0': 0, '-1': 0xff };

/** "UQ…" for an account's "EQ…" (a hint to wallets, not another account) and its raw "0:…". */
function tonAddress(text: string): string | null {
  const [, workchain, hex] = /^(0|-1):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (hex !== undefined) return friendlyTon(TON_WORKCHAINS[workchain ?? ''] ?? 0, fromHex(hex));
  if (!/^[EU][Qf](?:[\w-]{46}|[A-Za-z0-9+/]{46})$/.test(text)) return null;
  const bytes = base64urlnopad.decode(text.replaceAll('+', '-').replaceAll('/', '_'));
  const [tag, ofWorkchain] = bytes;
  if (tag !== TON_BOUNCEABLE && tag !== TON_NON_BOUNCEABLE) return null;
  if (ofWorkchain !== 0 && ofWorkchain !== 0xff) return null;
  const [high, low] = crc16(bytes.subarray(0, 34));
  return bytes[34] === high && bytes[35] === low ? friendlyTon(ofWorkchain, bytes.subarray(2, 34)) : null;
}

function friendlyTon(workchain: number, hash: Uint8Array): string {
  const data = Uint8Array.of(TON_NON_BOUNCEABLE, workchain, ...hash);
  return base64urlnopad.encode(Uint8Array.of(...data, ...crc16(data)));
}

/** CRC-16/XMODEM as two bytes. */
function crc16(data: Uint8Array): [number, number] {
  let crc = 0;
  for (const byte of data) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return [crc >> 8, crc & 0xff];
}

/** Prefixes that are often left out of an address although the checksum covers them. */
const CASH_PREFIXES = ['bitcoincash', 'ecash', 'nexa'];
const CASH_LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CASH_ADDRESS = /^(?:([a-z]{1,20}):)?([02-9ac-hj-np-z]{34,120})$/;

/** A CashAddr address with its prefix, in lower case. */
function cashAddress(text: string): string | null {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return null;
  const [, own, payload = ''] = CASH_ADDRESS.exec(lower) ?? [];
  const words = Array.from(payload, (letter) => CASH_LETTERS.indexOf(letter));
  const prefix = (own === undefined ? CASH_PREFIXES : [own]).find((name) => cashChecksum(name, words) === 0n);
  return words.length === 0 || prefix === undefined ? null : `${prefix}:${payload}`;
}

const CASH_GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** 0 if the words end in the right checksum. */
function cashChecksum(prefix: string, words: readonly number[]): bigint {
  let sum = 1n;
  for (const word of [...Array.from(prefix, (letter) => letter.charCodeAt(0) & 31), 0, ...words]) {
    const top = sum >> 35n;
    sum = ((sum & 0x7ffffffffn) << 5n) ^ BigInt(word);
    for (const [bit, generator] of CASH_GENERATORS.entries()) if ((top >> BigInt(bit)) & 1n) sum ^= generator;
  }
  return sum ^ 1n;
}

/** Matched by chain name: on any other chain the same text may be a Bitcoin address. */
const CASH_CHAINS = new Map(
  Object.entries({ bch: 'bitcoincash', bitcoincash: 'bitcoincash', xec: 'ecash', ecash: 'ecash' }),
);

/** The format before CashAddr, the same as Bitcoin's: "1…" and "3…". */
function legacyCashAddress(chain: string, text: string): string | null {
  const name = chainForm(chain).replace(/[\s_()-]|mainnet/g, '');
  const prefix = CASH_CHAINS.get(name);
  const bytes = prefix === undefined || !/^[13]/.test(text) ? null : fromBase58(text);
  if (!bytes || prefix === undefined || (bytes[0] !== 0x00 && bytes[0] !== 0x05)) return null;
  const words = bech32.toWords(Uint8Array.of(bytes[0] === 0x00 ? 0 : 8, ...bytes.subarray(1)));
  const sum = cashChecksum(prefix, [...words, 0, 0, 0, 0, 0, 0, 0, 0]);
  const checksum = [35n, 30n, 25n, 20n, 15n, 10n, 5n, 0n].map((shift) => Number((sum >> shift) & 31n));
  return `${prefix}:${[...words, ...checksum].map((word) => CASH_LETTERS.charAt(word)).join('')}`;
}

/** Starknet, Aptos and Sui omit leading zeros of 32 bytes; 40 digits are an address like Ethereum's. */
function paddedHex(text: string): string | null {
  const [, digits] = /^0x([0-9a-f]{41,64})$/i.exec(text) ?? [];
  return digits === undefined ? null : `0x${digits.toLowerCase().padStart(64, '0')}`;
}
