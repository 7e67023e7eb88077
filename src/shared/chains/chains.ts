// Checks addresses by alphabet and checksum. Imports the hash functions, so pages that only name chains use names.ts.
import { base58xrp } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { type ChainId, chainId, chainNames, isEvm } from './names.ts';
import { chainOfPrefix, LIGHTNING } from './parsePaymentUri.ts';
import { type ChainRules, checkCharacters, RULES } from './rules.ts';

export interface Chain extends ChainRules {
  id: ChainId;
  name: string;
}

export const chains: readonly Chain[] = chainNames.map(({ id, name }) => ({ id, name, ...RULES[id] }));

export function findChain(chain: string): Chain | undefined {
  const id = chainId(chain);
  return chains.find((known) => known.id === id);
}

const PLAIN = /^[A-Za-z0-9]{16,128}$/;

/** The block explorer's link for a transaction or an address; null on an unknown chain, or if the text can be neither. */
export function explorerOf(
  chain: string,
  kind: 'transaction' | 'address',
  text: string,
): { name: string; url: string } | null {
  const known = findChain(chain);
  if (!known || !PLAIN.test(text)) return null;
  const { name, [kind]: before } = known.explorer;
  return { name, url: before + text };
}

export type AddressVerdict =
  /** `unchecked`: the address has no checksum. */
  | { verdict: 'valid'; unchecked: boolean }
  | { verdict: 'invalid'; reason: string }
  | { verdict: 'other-chain'; chain: Chain; reason: string }
  | { verdict: 'tx-hash'; reason: string }
  /** No rules for this chain here: only the characters were checked. `tag`: the destination tag inside an X-address. */
  | { verdict: 'unknown-chain'; tag: string | null; reason: string };

/** The verdict on an address for a chain. Refuse everything but valid and unknown-chain. */
export function checkAddress(chain: string, text: string): AddressVerdict {
  const characters = checkCharacters(text);
  if (!characters.ok) return { verdict: 'invalid', reason: characters.reason };
  const known = findChain(chain);
  if (!known) {
    return {
      verdict: 'unknown-chain',
      tag: tagInside(text),
      reason: 'Addresses of this chain cannot be checked here.',
    };
  }
  const own = known.checkAddress(text);
  if (own.ok) return { verdict: 'valid', unchecked: own.unchecked === true };
  if (chains.some((any) => any.looksLikeTxHash(text))) {
    return { verdict: 'tx-hash', reason: 'This is the hash of a transaction, not an address.' };
  }
  if (own.isSpecific) return { verdict: 'invalid', reason: own.reason };
  const other = chains.find((any) => any.checkAddress(text).ok);
  if (!other) return { verdict: 'invalid', reason: elsewhere(text, known.name) ?? own.reason };
  const owner = isEvm(other.id) ? 'Ethereum (and of the chains like it)' : other.name;
  return { verdict: 'other-chain', chain: other, reason: `This is an address of ${owner}, not of ${known.name}.` };
}

/** Chains by the form of their addresses, allowing one character too few or too many. Ethereum covers all EVM chains. */
const FORMS: readonly (readonly [form: RegExp, chain: ChainId])[] = [
  [/^0x[0-9a-z]{39,41}$/i, 'ethereum'],
  [/^(?:bc|tb|bcrt)1[0-9a-z]{30,70}$/i, 'bitcoin'],
  [/^(?:ltc|tltc|rltc)1[0-9a-z]{30,70}$/i, 'litecoin'],
  [/^T[0-9a-z]{32,34}$/i, 'tron'],
  [/^D[0-9a-z]{32,34}$/i, 'dogecoin'],
  [/^[LM][0-9a-z]{32,34}$/i, 'litecoin'],
  [/^[13][0-9a-z]{25,34}$/i, 'bitcoin'],
  [/^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])[0-9A-Za-z]{43,44}$/, 'solana'],
];

/**
 * For a text whose chain isn't chosen yet: why it can't be an address of the chain that it looks like; null if it is valid
 * on some chain, or looks like no known one.
 */
export function faultByForm(text: string): string | null {
  const [, id] = FORMS.find(([form]) => form.test(text)) ?? [];
  const chain = id && findChain(id);
  if (!chain || chains.some((any) => any.checkAddress(text).ok)) return null;
  const check = chain.checkAddress(text);
  if (check.ok) return null;
  if (!check.isTypo) return check.reason;
  return `Looks like ${/^[AEIOU]/.test(chain.name) ? 'an' : 'a'} ${chain.name} address, but it has a typo.`;
}

/** Why an address of a network outside the list of chains is refused; null if it isn't recognized. */
function elsewhere(text: string, chain: string): string | null {
  if (/^ln(?:bc|tbs?|bcrt|o1|url1)/i.test(text)) return LIGHTNING;
  if (/^(?:ltc|t)mweb1/i.test(text)) {
    return 'This is an MWEB address of Litecoin, which can’t be paid from here. Ask for one that starts with ltc1, L or M.';
  }
  const prefixed = chainOfPrefix(text);
  return prefixed === undefined ? null : `This is an address of ${prefixed}, not of ${chain}.`;
}

const X_ADDRESS = /^X[1-9A-HJ-NP-Za-km-z]{46}$/;
const X_LENGTH = 31;
/** Offset of the tag flag in a decoded X-address; the tag follows it. */
const X_FLAG = 22;

/** The destination tag in an X-address of the XRP Ledger (XLS-5); null if it isn't one, or has no tag. */
function tagInside(text: string): string | null {
  if (!X_ADDRESS.test(text)) return null;
  const bytes = base58xrp.decode(text);
  const data = bytes.subarray(0, X_LENGTH);
  const checksum = sha256(sha256(data)).subarray(0, bytes.length - X_LENGTH);
  if (bytes.length !== X_LENGTH + 4 || checksum.some((byte, at) => byte !== bytes[X_LENGTH + at])) return null;
  if (data[X_FLAG] !== 1) return null;
  return String(new DataView(data.buffer, data.byteOffset).getUint32(X_FLAG + 1, true));
}
