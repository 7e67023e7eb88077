import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountParts, formatAmount, isAmount, isNegative, isZero } from './amount.ts';

/** Decimal strings as a service may send them, up to 60 digits. */
const wireAmount = fc.stringMatching(/^-?\d{1,40}(\.\d{1,20})?$/);

test('only plain decimal strings are amounts', () => {
  for (const amount of ['0', '-0', '0.0', '007', '1', '-1.50', '12345678901234567890.123456789012345678']) {
    expect([amount, isAmount(amount)]).toEqual([amount, true]);
  }
  const others = [
    '',
    ' 1',
    '1 ',
    '1\n',
    '.5',
    '5.',
    '+1',
    '1e-8',
    '0x10',
    '1_000',
    '1,5',
    'NaN',
    'Infinity',
    '１',
    '--1',
  ];
  for (const other of [...others, 1, 0, null, undefined, true, ['1'], 10n, '9'.repeat(201)]) {
    expect([other, isAmount(other)]).toEqual([other, false]);
  }
});

test('an amount is grouped, its trailing zeros set apart and no digit lost', () => {
  expect(amountParts('-1234567.5000', 'en')).toEqual({ sign: '−', integer: '1,234,567', fraction: '.5', zeros: '000' });
  expect(formatAmount('0001234.50', 'en')).toBe('0001,234.50');
  expect(amountParts('2.000', 'en')).toEqual({ sign: '', integer: '2', fraction: '', zeros: '.000' });
  expect(amountParts('0.000000000000000001', 'en')).toMatchObject({ fraction: '.000000000000000001', zeros: '' });
  expect(formatAmount('123456789012345678901234567890.123456789012345678901234567890', 'en')).toBe(
    '123,456,789,012,345,678,901,234,567,890.123456789012345678901234567890',
  );
});

test('the point is the decimal point and digits are latin in every locale', () => {
  for (const locale of ['en', 'de', 'fr', 'de-CH', 'hi', 'ar-EG', 'es', 'fa', undefined]) {
    const shown = formatAmount('1234567.25', locale);
    expect(shown.split('.')).toHaveLength(2);
    expect([locale, shown.replace(/[^\d.]/g, '')]).toEqual([locale, '1234567.25']);
  }
});

test('every digit of any amount survives formatting', () => {
  fc.assert(
    fc.property(wireAmount, (amount) => {
      const shown = formatAmount(amount, 'en').replaceAll(',', '').replace('−', '-');
      expect(shown).toBe(amount);
    }),
  );
});

test('zero and negative amounts are recognized by their digits', () => {
  expect(['0', '-0', '0.000', '-0.0'].map(isZero)).toEqual([true, true, true, true]);
  expect(['0.001', '-10', '1e5', ''].map(isZero)).toEqual([false, false, false, false]);
  expect(['-1', '-0.01', '-0', '-0.0', '1'].map(isNegative)).toEqual([true, true, false, false, false]);
});

test('text that isn’t an amount comes back unchanged', () => {
  expect(formatAmount('1e-8')).toBe('1e-8');
  expect(formatAmount('<script>')).toBe('<script>');
});

test('a browser language that isn’t a valid tag groups as English does', () => {
  for (const locale of ['C', 'POSIX', 'en-US@posix', 'en_US.UTF-8', 'de_DE', '', '-', 'x'.repeat(200), '\uD800']) {
    expect(formatAmount('-1234567.50', locale)).toBe(formatAmount('-1234567.50', 'en'));
  }
});

test('commas group thousands exactly as the platform’s formatter does', () => {
  for (const locale of ['en', 'en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IE'])
    for (const digits of ['0', '12', '123', '1234', '123456', '1234567', '9'.repeat(60)])
      expect(formatAmount(digits, locale)).toBe(
        new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).format(BigInt(digits)),
      );
});
