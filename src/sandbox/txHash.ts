import { randomBytes } from 'node:crypto';
import { base58 } from '@scure/base';

/** A transaction hash as the chain writes them, made up. */
export function newTxHash(chain: string): string {
  if (chain === 'solana') return base58.encode(randomBytes(64));
  const hex = randomBytes(32).toString('hex');
  return chain === 'ethereum' || chain === 'polygon' ? `0x${hex}` : hex;
}
