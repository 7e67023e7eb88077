import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lookKey, normalAddress, ownerKey, addressKey } from './lookAlike.ts';

const HEX = fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: 40, maxLength: 40 });
/** Without those that begin like a bech32 address: that prefix isn't part of the head. */
const BASE58 = fc
  .string({
    unit: fc.constantFrom(...Array.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')),
    minLength: 33,
    maxLength: 33,
  })
  .filter((text) => !/^(?:bc1|ltc1)/.test(text));
const BECH32 = fc.string({
  unit: fc.constantFrom(...Array.from('qpzry9x8gf2tvdw0s3jn54khce6mua7l')),
  minLength: 38,
  maxLength: 38,
});

/** Builds addresses from their significant part, whose first and last four characters are head and tail. */
const CHAINS = [
  { chain: 'ethereum', part: HEX, write: (part: string) => `0x${part}` },
  { chain: 'tron', part: BASE58, write: (part: string) => `T${part}` },
  { chain: 'bitcoin', part: BECH32, write: (part: string) => `bc1q${part}` },
  { chain: 'solana', part: BASE58, write: (part: string) => part },
  { chain: 'some new chain', part: BASE58, write: (part: string) => part },
] as const;

const lookAlike = (chain: string, one: string, other: string) =>
  lookKey({ chain, address: one }) === lookKey({ chain, address: other });

for (const { chain, part, write } of CHAINS) {
  describe(`on ${chain}`, () => {
    test('addresses with the same head and tail look alike but have different owners', () => {
      fc.assert(
        fc.property(part, part, (one, two) => {
          const other = one.slice(0, 4) + two.slice(4, -4) + one.slice(-4);
          fc.pre(other !== one);
          expect(lookAlike(chain, write(one), write(other))).toBe(true);
          expect(ownerKey({ chain, address: write(one) })).not.toBe(ownerKey({ chain, address: write(other) }));
        }),
      );
    });

    test('addresses with different heads or tails do not look alike', () => {
      const place = fc.constantFrom(0, 1, 2, 3, -1, -2, -3, -4);
      fc.assert(
        fc.property(part, place, fc.constantFrom(...Array.from('2345')), (one, place, sign) => {
          const at = place < 0 ? one.length + place : place;
          fc.pre(one.charAt(at) !== sign);
          const other = one.slice(0, at) + sign + one.slice(at + 1);
          expect(lookAlike(chain, write(one), write(other))).toBe(false);
        }),
      );
    });
  });
}

test('the prefix shared by all addresses of a kind is not part of the head', () => {
  const [one, other] = ['bc1qaaaabbbbccccdddd', 'bc1qeeeebbbbccccdddd'];
  expect(lookAlike('bitcoin', one, other)).toBe(false);
});

test('a change of case is the same address in hex and bech32, and a look-alike in base58', () => {
  const hex = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  expect(addressKey({ chain: 'ERC20', address: hex })).toBe(
    addressKey({ chain: 'ethereum', address: hex.toLowerCase() }),
  );
  expect(addressKey({ chain: 'unheard of', address: hex })).toBe(
    addressKey({ chain: 'unheard of', address: hex.toLowerCase() }),
  );
  expect(normalAddress('bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe(
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  );
  const [tron, imitated] = ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'Tr7nHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T'];
  expect(lookAlike('tron', tron, imitated)).toBe(true);
  expect(ownerKey({ chain: 'tron', address: tron })).not.toBe(ownerKey({ chain: 'tron', address: imitated }));
});

test('an Ethereum address has one owner on all chains that share it, but each chain is a different destination', () => {
  const [here, there] = ['ethereum', 'polygon'].map((chain) => ({ chain, address: `0x${'ab'.repeat(20)}` }));
  expect(here && there && ownerKey(here) === ownerKey(there)).toBe(true);
  expect(here && there && addressKey(here) === addressKey(there)).toBe(false);
});

test('a text too short to have a middle looks like no address', () => {
  expect(lookKey({ chain: 'some new chain', address: 'abcdefgh' })).toBeNull();
});
