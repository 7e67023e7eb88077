// Addresses checked by alphabet and checksum. Brings the hashes with it: pages that only name chains use names.ts.
import { isEvm } from './lookAlike.ts';
import { type ChainId, chainId, chainNames } from './names.ts';
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

/** The block explorer that shows a transaction or an address; null on a chain that nobody here knows, and for a text that can be neither. */
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
  /** `unchecked`: without a checksum. */
  | { verdict: 'valid'; unchecked: boolean }
  | { verdict: 'invalid'; reason: string }
  | { verdict: 'other-chain'; chain: Chain; reason: string }
  | { verdict: 'tx-hash'; reason: string }
  /** No rules for this chain here: only the characters were looked at. */
  | { verdict: 'unknown-chain'; reason: string };

/** What an address is to a chain; anything but valid and unknown-chain is to be refused. */
export function checkAddress(chain: string, text: string): AddressVerdict {
  const characters = checkCharacters(text);
  if (!characters.ok) return { verdict: 'invalid', reason: characters.reason };
  const known = findChain(chain);
  if (!known) return { verdict: 'unknown-chain', reason: 'Addresses of this chain cannot be checked here.' };
  const own = known.checkAddress(text);
  if (own.ok) return { verdict: 'valid', unchecked: own.unchecked === true };
  if (chains.some((any) => any.looksLikeTxHash(text))) {
    return { verdict: 'tx-hash', reason: 'This is the hash of a transaction, not an address.' };
  }
  const other = chains.find((any) => any.checkAddress(text).ok);
  if (!other) return { verdict: 'invalid', reason: own.reason };
  const owner = isEvm(other.id) ? 'Ethereum (and of the chains like it)' : other.name;
  return { verdict: 'other-chain', chain: other, reason: `This is an address of ${owner}, not of ${known.name}.` };
}
