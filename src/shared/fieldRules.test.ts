import { expect, test } from 'vitest';
import * as v from 'valibot';
import { amountField, assetRule, chainRule, recipientNameRule } from './fieldRules.ts';

test('an amount is refused with the reason, never guessed', () => {
  expect(v.parse(amountField, ' 12.040000000000000001')).toBe('12.040000000000000001');
  for (const text of ['1,000', '1.000,50', '1e-8', '0x10', '1_000', '+1', '.5', '', '１', '-0', 'NaN', '0']) {
    expect(v.is(amountField, text), text).toBe(false);
  }
});

test('a name may have spaces around it, but no invisible characters', () => {
  expect([assetRule('BTC '), chainRule(' bitcoin')]).toEqual([true, true]);
  expect([assetRule(' '), assetRule('B\u202ETC'), chainRule('x'.repeat(101))].every((ruling) => ruling !== true)).toBe(
    true,
  );
});

test('a recipient’s name may contain the joiners of its script; an asset or chain code may not', () => {
  for (const name of ['می\u200Cخواهم', 'क्\u200Dष', '👩\u200D🌾 Farm']) {
    expect(recipientNameRule(name)).toBe(true);
    expect([assetRule(name), chainRule(name)]).toEqual([
      expect.stringContaining('invisible'),
      expect.stringContaining('invisible'),
    ]);
  }
  for (const name of ['Ac\u200Dme', 'Acme\u200C', 'B\u202Eob'])
    expect(recipientNameRule(name)).toEqual(expect.stringContaining('invisible'));
});
