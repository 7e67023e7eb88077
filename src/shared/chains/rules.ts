import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58, bech32, bech32m, createBase58check } from '@scure/base';
import { codePointName } from '#src/shared/text.ts';
import type { ChainId } from './names.ts';

/**
 * `unchecked`: a mistyped character can't be detected. `isSpecific`: the reason already says what the text is. `isTypo`: a
 * text that otherwise has the form of an address was mistyped or copied in part.
 */
export type AddressCheck =
  | { ok: true; unchecked?: true }
  | { ok: false; reason: string; isSpecific?: true; isTypo?: true };

/** URL prefixes of a block explorer's pages for a transaction and an address. */
interface Explorer {
  name: string;
  transaction: string;
  address: string;
}

export interface ChainRules {
  checkAddress: (text: string) => AddressCheck;
  looksLikeTxHash: (text: string) => boolean;
  explorer: Explorer;
}

function refuse(reason: string): AddressCheck {
  return { ok: false, reason };
}

function refuseTypo(reason: string): AddressCheck {
  return { ok: false, reason, isTypo: true };
}

export function checkCharacters(text: string): AddressCheck {
  if (text === '') return refuse('Enter an address.');
  if (text.length > 500) return refuse('This is longer than any address.');
  const hidden = /[\p{Cf}\p{Cs}\p{Co}\u115F\u1160\u3164\uFFA0]|\u034F/u.exec(text) ?? /(?!\s)\p{Cc}/u.exec(text);
  if (hidden)
    return refuse(`It contains an invisible character (${codePointName(hidden[0])}). Copy the address again.`);
  if (/\s/.test(text)) return refuse('There is a space or a line break in it.');
  const foreign = /[^!-~]/u.exec(text);
  if (!foreign) return { ok: true };
  return refuse(`“${foreign[0]}” (${codePointName(foreign[0])}) only looks like a letter or digit of an address.`);
}

const coder = createBase58check(sha256);
const ALPHABET = /^[1-9A-HJ-NP-Za-km-z]+$/;

interface Base58Versions {
  mainnet: readonly number[];
  testnet: readonly number[];
}

function checkBase58Check(text: string, chain: string, { mainnet, testnet }: Base58Versions): AddressCheck {
  if (!ALPHABET.test(text)) return refuseTypo(`Not a ${chain} address: it contains an invalid character.`);
  let bytes: Uint8Array;
  try {
    bytes = coder.decode(text);
  } catch {
    return refuseTypo(`This is not a ${chain} address, or there’s a typo in it (checksum doesn’t match).`);
  }
  const version = bytes[0] ?? -1;
  if (bytes.length !== 21) return refuse(`Wrong length for a ${chain} address.`);
  if (mainnet.includes(version)) return { ok: true };
  if (testnet.includes(version)) return refuse(`This is a testnet address: real ${chain} would be lost.`);
  return refuse(`This is not a ${chain} address: it belongs to another network.`);
}

interface SegwitPrefixes {
  mainnet: string;
  testnets: readonly string[];
}

function startsLikeSegwit(text: string, { mainnet, testnets }: SegwitPrefixes): boolean {
  const lower = text.toLowerCase();
  return [mainnet, ...testnets].some((prefix) => lower.startsWith(`${prefix}1`));
}

/** Checks a segwit address: bech32 for witness version 0 (BIP 173), bech32m from version 1 on (BIP 350). */
function checkSegwit(text: string, chain: string, { mainnet, testnets }: SegwitPrefixes): AddressCheck {
  const lower = text.toLowerCase();
  if (testnets.some((prefix) => lower.startsWith(`${prefix}1`))) {
    return refuse(`This is a testnet address: real ${chain} would be lost.`);
  }
  if (text !== lower && text !== text.toUpperCase()) return refuse('Capital and small letters are mixed in it.');
  const old = bech32.decodeUnsafe(lower);
  const decoded = old ?? bech32m.decodeUnsafe(lower);
  if (!decoded || decoded.prefix !== mainnet) {
    return refuseTypo('There’s a typo in this address (checksum doesn’t match).');
  }
  const [version, ...words] = decoded.words;
  const program = bech32.fromWordsUnsafe(words);
  if (version === undefined || !program) return refuse(`This is not a ${chain} address: its data is broken.`);
  if ((version === 0) !== (old !== undefined)) return refuse('Its checksum is of the wrong kind for its version.');
  if (version === 0 && (program.length === 20 || program.length === 32)) return { ok: true };
  if (version === 1 && program.length === 32) return { ok: true };
  if (version > 1) return refuse(`Witness version ${version} is not in use: nobody could spend from it yet.`);
  return refuse(`Wrong length for a ${chain} address.`);
}

function checkEvm(text: string): AddressCheck {
  if (/^[0-9a-f]{40}$/i.test(text)) return refuse('The 0x in front is missing.');
  if (!/^0x[0-9a-f]+$/i.test(text))
    return refuseTypo('Such addresses start with 0x, followed by 40 characters from 0 to 9 and a to f.');
  if (!text.startsWith('0x')) return refuse('It must start with 0x, with a small x.');
  if (text.length !== 42) return refuseTypo(`It has ${text.length - 2} characters after 0x instead of 40.`);
  const digits = text.slice(2);
  if (/^0+$/.test(digits)) return refuse('This is the zero address. Funds sent there are lost.');
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (digits === withChecksum(digits.toLowerCase())) return { ok: true };
  if (oneCase) return { ok: true, unchecked: true };
  return refuseTypo('There’s a typo in this address (checksum doesn’t match).');
}

/** EIP-55: a letter is upper case where the hash digit is 8 or more. */
export function withChecksum(lower: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  return Array.from(lower, (digit, at) => ((hash[at] ?? '0') >= '8' ? digit.toUpperCase() : digit)).join('');
}

function checkSolana(text: string): AddressCheck {
  const bytes = decodeBase58(text, 44);
  if (!bytes) return refuseTypo('Not a Solana address: it contains an invalid character.');
  if (bytes.length !== 32) return refuseTypo('Wrong length for a Solana address.');
  if (bytes.every((byte) => byte === 0)) return refuse('This is the zero address. Funds sent there are lost.');
  return { ok: true, unchecked: true };
}

/** Null if not base58. Longer texts are not decoded, as that takes quadratic time. */
function decodeBase58(text: string, maxLength: number): Uint8Array | null {
  if (text.length > maxLength) return new Uint8Array();
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
}

function checkTron(text: string): AddressCheck {
  if (/^(?:0x)?41[0-9a-f]{40}$/i.test(text)) {
    return refuse('This is the hexadecimal form. Use the one that starts with T, which has a checksum.');
  }
  return checkBase58Check(text, 'Tron', { mainnet: [0x41], testnet: [0xa0] });
}

/** An address with the old script version 0x05 ("3…") looks like Bitcoin's and is refused. */
function checkLitecoin(text: string): AddressCheck {
  if (text.startsWith('3') && checkBase58Check(text, 'Litecoin', { mainnet: [0x05], testnet: [] }).ok) {
    const reason =
      'Bitcoin addresses and old Litecoin addresses both start with 3. Ask for the Litecoin one that starts with M.';
    return { ok: false, reason, isSpecific: true };
  }
  return checkLitecoinNow(text);
}

const segwitOrBase58 = (chain: string, prefixes: SegwitPrefixes, versions: Base58Versions) => (text: string) =>
  startsLikeSegwit(text, prefixes) ? checkSegwit(text, chain, prefixes) : checkBase58Check(text, chain, versions);

const checkLitecoinNow = segwitOrBase58(
  'Litecoin',
  { mainnet: 'ltc', testnets: ['tltc', 'rltc'] },
  { mainnet: [0x30, 0x32], testnet: [0x6f, 0x3a, 0xc4] },
);

const isHexHash = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text);

const explorerAt = (name: string, base: string, transaction = 'tx'): Explorer => ({
  name,
  transaction: `${base}/${transaction}/`,
  address: `${base}/address/`,
});

/** Chains with Ethereum's addresses differ only in the explorer. */
const evm = (explorer: Explorer): ChainRules => ({
  checkAddress: checkEvm,
  looksLikeTxHash: (text) => /^0x[0-9a-f]{64}$/i.test(text),
  explorer,
});

export const RULES: Readonly<Record<ChainId, ChainRules>> = {
  bitcoin: {
    checkAddress: segwitOrBase58(
      'Bitcoin',
      { mainnet: 'bc', testnets: ['tb', 'bcrt'] },
      { mainnet: [0x00, 0x05], testnet: [0x6f, 0xc4] },
    ),
    looksLikeTxHash: isHexHash,
    explorer: explorerAt('mempool.space', 'https://mempool.space'),
  },
  litecoin: {
    checkAddress: checkLitecoin,
    looksLikeTxHash: isHexHash,
    explorer: explorerAt('Litecoin Space', 'https://litecoinspace.org'),
  },
  dogecoin: {
    checkAddress: (text) => checkBase58Check(text, 'Dogecoin', { mainnet: [0x1e, 0x16], testnet: [0x71, 0x6f, 0xc4] }),
    looksLikeTxHash: isHexHash,
    explorer: explorerAt('Blockchair', 'https://blockchair.com/dogecoin', 'transaction'),
  },
  tron: {
    checkAddress: checkTron,
    looksLikeTxHash: isHexHash,
    explorer: explorerAt('Tronscan', 'https://tronscan.org/#', 'transaction'),
  },
  solana: {
    checkAddress: checkSolana,
    looksLikeTxHash: (text) => decodeBase58(text, 88)?.length === 64,
    explorer: explorerAt('Solana Explorer', 'https://explorer.solana.com'),
  },
  ethereum: evm(explorerAt('Etherscan', 'https://etherscan.io')),
  polygon: evm(explorerAt('PolygonScan', 'https://polygonscan.com')),
  bsc: evm(explorerAt('BscScan', 'https://bscscan.com')),
  arbitrum: evm(explorerAt('Arbiscan', 'https://arbiscan.io')),
  base: evm(explorerAt('BaseScan', 'https://basescan.org')),
  optimism: evm(explorerAt('OP Etherscan', 'https://optimistic.etherscan.io')),
  avalanche: evm(explorerAt('Snowtrace', 'https://snowtrace.io')),
};
