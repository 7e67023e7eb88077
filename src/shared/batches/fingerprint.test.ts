import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchFingerprint } from './fingerprint.ts';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const payment = { asset: 'USDT', chain: 'ethereum', amount: '12.5', address };

const payments = fc.array(
  fc.record({
    asset: fc.constantFrom('USDT', 'ETH'),
    chain: fc.constantFrom('ethereum', 'polygon'),
    amount: fc.nat({ max: 99 }).map((cents) => `1.${String(cents).padStart(2, '0')}`),
    address: fc.constantFrom(address, '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'),
  }),
  { minLength: 1, maxLength: 6 },
);

test('the fingerprint ignores the order and spelling of payments', () => {
  fc.assert(
    fc.property(
      payments.chain((of) => fc.tuple(fc.constant(of), fc.shuffledSubarray(of, { minLength: of.length }))),
      ([one, shuffled]) => {
        const respelled = shuffled.map((each) => ({
          asset: each.asset.toLowerCase(),
          chain: each.chain === 'ethereum' ? 'ETH' : 'Polygon',
          amount: `0${each.amount}000`,
          address: each.address.toLowerCase(),
        }));
        expect(batchFingerprint(respelled)).toBe(batchFingerprint(one));
      },
    ),
  );
});

test('a different payment, amount, asset, chain or address gives a different fingerprint', () => {
  const before = batchFingerprint([payment]);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  for (const change of [
    { amount: '12.51' },
    { asset: 'USDC' },
    { chain: 'polygon' },
    { address: `${address.slice(0, -1)}e` },
  ])
    expect(batchFingerprint([{ ...payment, ...change }])).not.toBe(before);
  expect(batchFingerprint([payment, payment])).not.toBe(before);
});

test('the fingerprint is the same in all versions, as it is stored for ever', () => {
  expect(batchFingerprint([payment, { ...payment, amount: '7' }])).toBe(
    '7e0e70988d6ae050c17f43fcec04b59f5ca377fedcd372b0f4218d30754de7f8',
  );
});
