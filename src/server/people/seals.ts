import { createHmac, timingSafeEqual } from 'node:crypto';

/** Proves that this server wrote a row: one changed or added directly in the database has no valid seal. */
export interface Seals {
  sealOf: (...columns: readonly (string | number)[]) => string;
  isSealed: (seal: string, ...columns: readonly (string | number)[]) => boolean;
}

/** `key`: derivedKey(secret, 'seals'). Name the table first, so that no row passes for one of another table. */
export function createSeals(key: Uint8Array): Seals {
  const macOf = (columns: readonly (string | number)[]) =>
    createHmac('sha256', key).update(JSON.stringify(columns)).digest();
  return {
    sealOf: (...columns) => macOf(columns).toString('base64url'),
    isSealed: (seal, ...columns) => {
      const [actual, expected] = [Buffer.from(seal, 'base64url'), macOf(columns)];
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    },
  };
}
