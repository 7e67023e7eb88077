import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePaymentUri } from './parsePaymentUri.ts';

/** Any UTF-16 at all, lone surrogates among it. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

test('a plain address stays as it was pasted', () => {
  expect(parsePaymentUri(ADDRESS)).toEqual({ kind: 'plain', address: ADDRESS });
  expect(parsePaymentUri(`${ADDRESS}\n`)).toEqual({ kind: 'plain', address: `${ADDRESS}\n` });
});

test('a payment link comes apart in the open', () => {
  expect(parsePaymentUri(`bitcoin:${ADDRESS}?amount=0.50&label=Shop%20%231&unknown=1`)).toEqual({
    kind: 'uri',
    scheme: 'bitcoin',
    address: ADDRESS,
    amount: '0.50',
    label: 'Shop #1',
  });
  expect(parsePaymentUri(`BITCOIN:${ADDRESS.toUpperCase()}`)).toMatchObject({
    kind: 'uri',
    address: ADDRESS.toUpperCase(),
  });
});

test('what would lose a part is refused', () => {
  const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  for (const paste of [
    `bitcoin:${ADDRESS}?amount=1&amount=2`,
    `bitcoin:${ADDRESS}?amount=1e8`,
    `bitcoin:${ADDRESS}?amount=1,5`,
    `bitcoin:${ADDRESS}?req-lock=1`,
    'bitcoin:?amount=1',
    `ethereum:${evm}?value=1000000000000000000`,
    `ethereum:${evm}@137`,
    `ethereum:${evm}/transfer?address=${evm}&uint256=1`,
    `ethereum:pay-${evm}`,
    `solana:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v?spl-token=x`,
    `https://evil.test/${ADDRESS}`,
    `javascript:alert(1)`,
    `${ADDRESS} ${evm}`,
    `Address: ${ADDRESS} Amount: 1`,
  ]) {
    expect([paste, parsePaymentUri(paste).kind]).toEqual([paste, 'ambiguous']);
  }
});

test('no paste throws, and a plain one is never changed', () => {
  fc.assert(
    fc.property(anyText, (paste) => {
      const taken = parsePaymentUri(paste);
      expect(taken.kind === 'plain' ? taken.address : paste).toBe(paste);
    }),
  );
});
