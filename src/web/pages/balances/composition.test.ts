import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { add } from '#src/shared/money.ts';
import { compositionOf, compositionWords } from './ShareBar.tsx';

function balance(fields: Partial<BalanceRow>): BalanceRow {
  return { asset: 'ETH', available: '1.0', pending: '0', locked: '0.5', total: '1.5', updated_at: 1, ...fields };
}

test.each([
  [{ pending: null }, 'a part is no amount'],
  [{ available: '2', locked: '-0.5' }, 'a part is below zero'],
  [{ total: '1.6' }, 'the parts do not make the total'],
  [{ total: 1.5 }, 'the total is no amount'],
  [{ available: '0', locked: '-0.00', total: '0' }, 'Nothing held'],
])('%j gives no bar: %s', (fields, why) => {
  expect(compositionOf(balance(fields))).toEqual({ kind: 'none', why: expect.stringContaining(why) });
});

test('the parts of the bar are adjacent, and a small part is not called 0 %', () => {
  const sent = { available: '0.999', pending: '0.000000000000000001', locked: '0.000999999999999999', total: '1' };
  const composition = compositionOf(balance(sent));
  expect(composition).toMatchObject({ kind: 'parts', shares: [{ from: 0 }, { percent: 1e-16 }, { part: 'locked' }] });
  const shares = composition.kind === 'parts' ? composition.shares : [];
  expect(compositionWords(shares)).toBe('over 99 % available, under 1 % pending, under 1 % locked');
});

test('the parts fill the bar, and an empty part has no width', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String);
  fc.assert(
    fc.property(amount, amount, amount, (available, pending, locked) => {
      const total = add(add(available, pending), locked);
      fc.pre(total !== '0');
      const composition = compositionOf(balance({ available, pending, locked, total }));
      const shares = composition.kind === 'parts' ? composition.shares : [];
      expect(shares.reduce((whole, { percent }) => whole + percent, 0)).toBeCloseTo(100, 6);
      expect(shares.map(({ percent }) => percent === 0)).toEqual(
        [available, pending, locked].map((each) => each === '0'),
      );
    }),
    { numRuns: 50 },
  );
});
