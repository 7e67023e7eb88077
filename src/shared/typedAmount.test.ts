import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAmount, isZero } from './amount.ts';
import { readBack, typedAmount } from './typedAmount.ts';

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

const reasonFor = (text: string): string => {
  const typed = typedAmount(text);
  return typed.ok ? `accepted as ${typed.amount}` : typed.reason;
};

test('a plain amount is accepted digit for digit', () => {
  for (const text of ['1', '0.5', '10.50', '0.000000000000000001', '123456789012345678901234567890.123456']) {
    expect(typedAmount(text)).toEqual({ ok: true, amount: text });
  }
});

test('an ambiguous amount is refused with the reason', () => {
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
  expect(reasonFor('1\u200B0')).toMatch(/invisible/);
  expect(reasonFor('007')).toMatch(/leading zeros/);
  expect(reasonFor('0')).toMatch(/more than zero/);
  expect(reasonFor('0.00')).toMatch(/more than zero/);
  expect(reasonFor('9'.repeat(201))).toMatch(/longer/);
});

test('a separator that may be for thousands or for decimals is refused with a question', () => {
  for (const text of ['1.000,50', '1,00.50', '0,100.5', ',5', '5,', '00,5', '1,000,000', '1,5,5'])
    expect(reasonFor(text)).toMatch(/comma/);
  expect(reasonFor('1.000.000')).toMatch(/points .*\?/);
  expect(reasonFor('1,250')).toBe(
    'Is 1,250 one thousand two hundred fifty? Type 1250, or 1.250 if the comma is the decimal point.',
  );
  expect(reasonFor('19,013')).toContain('Is 19,013 nineteen thousand thirteen?');
  expect(reasonFor('21,234')).toContain('Is 21,234 twenty-one thousand two hundred thirty-four?');
  expect(reasonFor('400,000')).toContain('Is 400,000 four hundred thousand?');
});

test('unambiguous thousands separators are accepted, and white space is trimmed', () => {
  for (const text of ['1,250.50', '1 250.50', '1\u00A0250.50', '1\u202F250.50', ' 1250.50\n']) {
    expect(typedAmount(text), text).toEqual({ ok: true, amount: '1250.50' });
  }
  expect(typedAmount('12,345,678.000001')).toEqual({ ok: true, amount: '12345678.000001' });
  for (const text of ['1,250 000.5', '1,2500.5', '01,250.5', '1 25.5']) expect(typedAmount(text).ok, text).toBe(false);
});

test('a single comma that can’t be for thousands is the decimal point', () => {
  for (const [text, amount] of [
    ['0,5', '0.5'],
    ['12,5', '12.5'],
    ['0,001', '0.001'],
    ['0,100', '0.100'],
    ['1,00', '1.00'],
    ['1,2345', '1.2345'],
    ['1234,567', '1234.567'],
    [' 12,50 ', '12.50'],
    ['1 250,50', '1250.50'],
    ['1\u202F250,500', '1250.500'],
  ] as const) {
    expect(typedAmount(text), text).toEqual({ ok: true, amount });
    expect(readBack(text)).toBe(amount);
  }
  expect(reasonFor('0,00')).toMatch(/more than zero/);
  for (const text of ['1,234', '12,345', '999,000'])
    expect(reasonFor(text)).toContain('if the comma is the decimal point');
});

/** Every value that a text may mean, with each separator for thousands and each for decimals. */
function readings(text: string): Set<string> {
  const values = new Set<string>();
  for (const decimal of ['.', ',']) {
    for (const mark of ['', '.', ',', ' ', "'"]) {
      if (mark === decimal) continue;
      const [whole = '', decimals, ...more] = text.replace(/[\u00A0\u202F]/g, ' ').split(decimal);
      const groups = mark === '' ? [whole] : whole.split(mark);
      const [first = '', ...others] = groups;
      const isWhole = mark === '' ? /^(?:0|[1-9]\d*)$/ : others.length === 0 ? /^\d+$/ : /^[1-9]\d{0,2}$/;
      if (!isWhole.test(first) || !others.every((group) => /^\d{3}$/.test(group)) || more.length > 0) continue;
      if (decimals === undefined || /^\d+$/.test(decimals)) {
        values.add(decimals === undefined ? groups.join('') : `${groups.join('')}.${decimals}`);
      }
    }
  }
  return values;
}

test('every accepted spelling has one meaning; a plain decimal is taken literally', () => {
  const part = fc.string({ unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '9'), minLength: 1, maxLength: 4 });
  const mark = fc.constantFrom('.', ',', ' ', '\u00A0', '\u202F', "'");
  const text = fc
    .tuple(part, fc.array(fc.tuple(mark, part), { maxLength: 3 }))
    .map(([first, rest]) => first + rest.flat().join(''));
  let accepted = 0;
  fc.assert(
    fc.property(text, (typed) => {
      const result = typedAmount(typed);
      if (!result.ok) return;
      accepted += 1;
      const isPlain = /^\d+(?:\.\d+)?$/.test(typed);
      expect(isPlain ? [typed] : [...readings(typed)], typed).toEqual([result.amount]);
    }),
    { numRuns: 5000 },
  );
  expect(accepted).toBeGreaterThan(500);
});

test('an amount is read back if it differs from what was typed', () => {
  expect(readBack('1,250.50')).toBe('1250.50');
  expect(readBack('1250.50')).toBe('1,250.50');
  expect([readBack('12.5'), readBack('x'), readBack('')]).toEqual([null, null, null]);
});

test('only a positive amount is accepted, with its digits unchanged', () => {
  const text = fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...Array.from('0123456789.,+-eE_ x１\u00A0')) }));
  fc.assert(
    fc.property(text, (typed) => {
      const result = typedAmount(typed);
      const amount = result.ok ? result.amount : '1';
      expect(isAmount(amount) && !isZero(amount) && !amount.startsWith('-')).toBe(true);
      const digits = (text: string) => text.replace(/\D/g, '');
      expect(digits(result.ok ? amount : typed)).toBe(digits(typed));
    }),
    { numRuns: 2000 },
  );
});
