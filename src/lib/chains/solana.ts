import { base58 } from '@scure/base';
import { type ChainRules, refuse } from './rules.ts';

export const solana: ChainRules = {
  checkAddress: (text) => {
    const bytes = decode(text, 44);
    if (!bytes) return refuse('This is not a Solana address: a character in it does not occur in them.');
    if (bytes.length !== 32) return refuse('Wrong length for a Solana address.');
    if (bytes.every((byte) => byte === 0)) return refuse('This is the zero address: nobody can spend from it.');
    return { ok: true, unchecked: true };
  },
  looksLikeTxHash: (text) => decode(text, 88)?.length === 64,
  txUrl: (hash) => `https://explorer.solana.com/tx/${encodeURIComponent(hash)}`,
  addressUrl: (address) => `https://explorer.solana.com/address/${encodeURIComponent(address)}`,
};

/** Null for what is no base58; longer texts are not decoded at all, as that takes quadratic time. */
function decode(text: string, maxLength: number): Uint8Array | null {
  if (text.length > maxLength) return new Uint8Array();
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
}
