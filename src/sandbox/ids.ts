import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A string of random letters and digits, each equally likely. */
export function randomToken(length: number): string {
  let token = '';
  while (token.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 × 62: what lies above would favour the first letters.
      if (byte < 248 && token.length < length) token += ALPHABET.charAt(byte % 62);
    }
  }
  return token;
}

export type IdPrefix = 'acct_' | 'wd_' | 'dep_' | 'le_' | 'lt_' | 'req_' | 'ch_' | 'swp_' | 'da_' | 'whr_' | 'flt_';

export function newId(prefix: IdPrefix): string {
  return prefix + randomToken(22);
}

export function newApiKey(): string {
  return `sk_sandbox_${randomToken(40)}`;
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
