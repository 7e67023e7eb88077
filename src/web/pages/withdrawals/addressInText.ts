import type { loadChains } from '#src/shared/chains/loadChains.ts';
import { type ChainId, chainId, isEvm } from '#src/shared/chains/names.ts';
import { type Paste, parsePaymentUri, type PaymentLink } from '#src/shared/chains/parsePaymentUri.ts';

/** The checks of all chains; null until they are loaded. */
export type KnownChains = Awaited<ReturnType<typeof loadChains>> | null;

/** Whether a link has more than address and chain, which the form fills in at once. */
export function hasPaymentDetails({ amount, otherAmount, token }: PaymentLink): boolean {
  return (amount ?? otherAmount ?? token) !== undefined;
}

/** Whether a text looks like an address rather than a name, valid or not; the address field shows its error. */
export function looksLikeAddress(text: string): boolean {
  const { kind } = parsePaymentUri(text.trim());
  return kind === 'refused' || kind === 'uri' || (/^[a-z0-9:]{20,}$/i.test(text.trim()) && /\d/.test(text));
}

/** The address in a text, with its chain if only one is possible; null if it has none. */
export function addressInPaste(paste: Paste, chains: KnownChains): { address: string; chain: ChainId | null } | null {
  if (chains === null) return null;
  if (paste.kind === 'uri') return { address: paste.address, chain: chainId(paste.chain) ?? null };
  if (paste.kind !== 'plain') return null;
  const first = chains.chains.find((each) => each.checkAddress(paste.address).ok);
  if (first === undefined) return null;
  return { address: paste.address, chain: isEvm(first.id) ? null : first.id };
}
