import { expect, test } from 'vitest';
import { amountRule, assetRule, chainRule } from './fieldRules.ts';

test('an amount is refused with the reason, never guessed', () => {
  expect(amountRule('12.040000000000000001')).toBe(true);
  for (const text of ['1,000.50', '1.000,50', '1e-8', '0x10', '1_000', '+1', '.5', '', ' 1', '１', '-0', 'NaN', '0']) {
    expect(amountRule(text), text).not.toBe(true);
  }
});

test('names may have spaces around them, nothing hidden in them', () => {
  expect([assetRule('BTC '), chainRule(' bitcoin')]).toEqual([true, true]);
  expect([assetRule(' '), assetRule('B\u202ETC'), chainRule('x'.repeat(101))].every((ruling) => ruling !== true)).toBe(
    true,
  );
});
