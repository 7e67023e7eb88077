import { bech32, bech32m } from '@scure/base';
import { type AddressCheck, refuse } from './rules.ts';

export interface SegwitPrefixes {
  chain: string;
  mainnet: string;
  testnets: readonly string[];
}

/** Whether a text means to be a segwit address of these networks. */
export function startsLikeSegwit(text: string, { mainnet, testnets }: SegwitPrefixes): boolean {
  const lower = text.toLowerCase();
  return [mainnet, ...testnets].some((prefix) => lower.startsWith(`${prefix}1`));
}

/** Checks a segwit address: bech32 for witness version 0 (BIP 173), bech32m from version 1 on (BIP 350). */
export function checkSegwit(text: string, { chain, mainnet, testnets }: SegwitPrefixes): AddressCheck {
  const lower = text.toLowerCase();
  if (testnets.some((prefix) => lower.startsWith(`${prefix}1`))) {
    return refuse(`This is a testnet address: real ${chain} would be lost.`);
  }
  if (text !== lower && text !== text.toUpperCase()) return refuse('Capital and small letters are mixed in it.');
  const old = bech32.decodeUnsafe(lower);
  const decoded = old ?? bech32m.decodeUnsafe(lower);
  if (!decoded || decoded.prefix !== mainnet) {
    return refuse('A character of it is wrong or missing: the checksum does not match.');
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
