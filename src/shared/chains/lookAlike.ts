import { folded } from '#src/shared/text.ts';
import { type ChainId, chainForm, chainId, isEvm } from './names.ts';
import { usualSpelling } from './spellings.ts';

/** Shorter texts are not compared as addresses: they may be asset codes or fragments. */
export const ADDRESS_LENGTH_MIN = 26;

const HEX = /^0x[0-9a-f]+$/i;
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
/** Bech32 ignores case but must be in one case. Base58 is case-sensitive, and an address in it has both cases. */
const BECH32 = /^(?:[a-z]{1,20}1[ac-hj-np-z02-9]{6,}|[A-Z]{1,20}1[AC-HJ-NP-Z02-9]{6,})$/;
const BASE58_ONLY = new Set<ChainId | undefined>(['tron', 'solana', 'dogecoin']);

/**
 * An address in its chain's normal form, equal for all spellings of one account and for nothing else: hex and bech32 in
 * lower case, base58 unchanged. Hex and bech32 are lowercased on unknown chains too.
 */
export function normalAddress(chain: string, address: string): string {
  const text = address.trim();
  const spelling = usualSpelling(chain, text);
  if (spelling !== null) return spelling;
  const id = chainId(chain);
  const isFolded = (id !== undefined && isEvm(id)) || HEX.test(text) || (BECH32.test(text) && !BASE58_ONLY.has(id));
  return isFolded ? text.toLowerCase() : text;
}

export function isSameAddress(chain: string, one: string, other: string): boolean {
  return normalAddress(chain, one) === normalAddress(chain, other);
}

export interface ChainAddress {
  chain: string;
  address: string;
}

// People compare the first and last characters of an address, so address poisoning makes those equal.
const HEAD = 4;
const TAIL = 4;

/** Equal for all spellings of the same chain and address. */
export function addressKey({ chain, address }: ChainAddress): string {
  return JSON.stringify([chainForm(chain), normalAddress(chain, address)]);
}

/**
 * As addressKey, but equal on all chains with Ethereum's addresses, also on unknown ones: the owner of a private key has the
 * same address there.
 */
export function ownerKey({ chain, address }: ChainAddress): string {
  return JSON.stringify([family({ chain, address }), normalAddress(chain, address)]);
}

/** The ownerKey of an addressKey. */
export function ownerOfAddressKey(key: string): string {
  const [chain, address]: [string, string] = JSON.parse(key);
  return ownerKey({ chain, address });
}

/**
 * Equal for addresses that are easily mistaken for each other: same chain family, head and tail, ignoring case and the
 * prefix that all addresses of the kind share. Null if too short to have a middle.
 */
export function lookKey({ chain, address }: ChainAddress): string | null {
  const text = significant(chain, address);
  if (text.length < HEAD + TAIL + 1) return null;
  return JSON.stringify([family({ chain, address }), folded(text.slice(0, HEAD)), folded(text.slice(-TAIL))]);
}

function family({ chain, address }: ChainAddress): string {
  const id = chainId(chain);
  const isOfEvm = id === undefined ? EVM_ADDRESS.test(address.trim()) : isEvm(id);
  return isOfEvm ? 'evm' : chainForm(chain);
}

/** Strips the prefix of every address of the kind: 0x, the prefix and version of bech32 and CashAddr, Tron's T, TON's UQ. */
function significant(chain: string, address: string): string {
  const text = normalAddress(chain, address);
  const prefix =
    chainId(chain) === 'tron' ? /^T/ : /^(?:0x|bc1.|ltc1.|(?:bitcoincash|ecash|nexa):.|U[Qf](?=[\w-]{46}$))/;
  return text.replace(prefix, '');
}
