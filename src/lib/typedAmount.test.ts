import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAmount, isZero } from './amount.ts';
import { typedAmount } from './typedAmount.ts';

/** Any UTF-16 at all, lone surrogates among it. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

const reasonFor = (text: string): string => {
  const typed = typedAmount(text);
  return typed.ok ? `accepted as ${typed.amount}` : typed.reason;
};

test('a plain amount is taken digit for digit', () => {
  for (const text of ['1', '0.5', '10.50', '0.000000000000000001', '123456789012345678901234567890.123456']) {
    expect(typedAmount(text)).toEqual({ ok: true, amount: text });
  }
});

test('what could mean something else is refused with the reason', () => {
  expect(reasonFor('')).toMatch(/Enter/);
  expect(reasonFor('1e-8')).toMatch(/exponent/);
  expect(reasonFor('1.5E8')).toMatch(/exponent/);
  expect(reasonFor('0x10')).toMatch(/hexadecimal/);
  expect(reasonFor('1_000')).toMatch(/between thousands/);
  expect(reasonFor("1'000")).toMatch(/between thousands/);
  expect(reasonFor('+1')).toMatch(/plus/);
  expect(reasonFor('.5')).toMatch(/0 before the point/);
  expect(reasonFor('5.')).toMatch(/after the point/);
  expect(reasonFor('NaN')).toMatch(/only digits/);
  expect(reasonFor('Infinity')).toMatch(/only digits/);
  expect(reasonFor('-0')).toMatch(/minus/);
  expect(reasonFor('−5')).toMatch(/minus/);
  expect(reasonFor('１２')).toMatch(/plain keyboard/);
  expect(reasonFor('١٢')).toMatch(/plain keyboard/);
  expect(reasonFor('1 000')).toMatch(/space/);
  expect(reasonFor('1\u00A0000')).toMatch(/space/);
  expect(reasonFor('1\u202F000')).toMatch(/space/);
  expect(reasonFor(' 1')).toMatch(/space/);
  expect(reasonFor('1\u200B0')).toMatch(/invisible/);
  expect(reasonFor('007')).toMatch(/zeros in front/);
  expect(reasonFor('0')).toMatch(/more than zero/);
  expect(reasonFor('0.00')).toMatch(/more than zero/);
  expect(reasonFor('9'.repeat(201))).toMatch(/longer/);
});

test('separators of thousands and decimals are asked about', () => {
  for (const text of ['1,000.50', '1.000,50', '1,5', '1,000', ',5']) expect(reasonFor(text)).toMatch(/comma .*\?/);
  expect(reasonFor('1.000.000')).toMatch(/points .*\?/);
});

test('nothing is accepted but a positive amount, unchanged', () => {
  const text = fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...Array.from('0123456789.,+-eE_ x１\u00A0')) }));
  fc.assert(
    fc.property(text, (typed) => {
      const result = typedAmount(typed);
      const positive = isAmount(typed) && !isZero(typed) && !typed.startsWith('-');
      expect(result.ok ? [result.amount, positive] : [typed, result.reason !== '']).toEqual([typed, true]);
    }),
    { numRuns: 2000 },
  );
});
