import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAmount, isAmount } from './amount.ts';
import { add, amountGrid, compare, equal, mean, share, subtract, sum } from './money.ts';

const SCALE = 36;
const units = fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n });

/** The decimal string of a number of units of 10^-36. */
function decimal(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(SCALE + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`;
}

function unitsOf(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return amount.startsWith('-') ? -value : value;
}

test('sums, differences and order agree with whole-number arithmetic', () => {
  fc.assert(
    fc.property(units, units, (a, b) => {
      expect(unitsOf(add(decimal(a), decimal(b)))).toBe(a + b);
      expect(unitsOf(subtract(decimal(a), decimal(b)))).toBe(a - b);
      expect(compare(decimal(a), decimal(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
  fc.assert(
    fc.property(fc.array(units), (list) => {
      expect(unitsOf(sum(list.map(decimal)))).toBe(list.reduce((total, value) => total + value, 0n));
    }),
  );
});

test('results are amounts: never an exponent, never minus zero', () => {
  expect(add('0.000000000000000001', '0')).toBe('0.000000000000000001');
  expect(add('1' + '0'.repeat(59), '0.' + '0'.repeat(35) + '1')).toBe(`1${'0'.repeat(59)}.${'0'.repeat(35)}1`);
  expect(subtract('0', '0.0')).toBe('0');
  expect(add('-0', '-0.0')).toBe('0');
  expect(sum([])).toBe('0');
  fc.assert(fc.property(units, units, (a, b) => isAmount(subtract(decimal(a), decimal(b)))));
});

test('a sum longer than any amount keeps its digits, and can be summed on', () => {
  const long = add('9'.repeat(200), `0.${'1'.repeat(198)}`);
  expect(long).toBe(`${'9'.repeat(200)}.${'1'.repeat(198)}`);
  expect(add(long, '1')).toBe(`1${'0'.repeat(200)}.${'1'.repeat(198)}`);
  expect(subtract('0', long)).toBe(`-${long}`);
  expect([compare(subtract('0', long), '0'), compare(long, '1'), compare(long, long)]).toEqual([-1, 1, 0]);
  expect(formatAmount(subtract('0', long), 'en').replaceAll(',', '')).toBe(`−${long}`);
});

test('text that is not an amount is refused, not guessed', () => {
  for (const junk of ['0x10', '1_000', 'Infinity', 'NaN', '1e5', '', ' 1', '1,5']) {
    expect(() => add(junk, '1')).toThrow(TypeError);
  }
});

test('equal compares values', () => {
  expect(equal('1.50', '1.5')).toBe(true);
  expect(equal('-0', '0.000')).toBe(true);
  expect(equal('0.1', '0.10000000000000000000000000000000001')).toBe(false);
});

const label = (part: string, total: string): string => share(part, total).label;

test('a share is never rounded to nothing or to everything', () => {
  expect(label('0', '5')).toBe('0 %');
  expect(label('0.000000000000000001', '1000000')).toBe('under 1 %');
  expect(label('1', '3')).toBe('33 %');
  expect(label('999999.9999', '1000000')).toBe('over 99 %');
  expect(label('5', '5.0')).toBe('100 %');
  expect(share('6', '5')).toEqual({ percent: 100, label: 'over 100 %' });
  expect(share('1', '0')).toEqual({ percent: 0, label: 'no share' });
  expect(share('-1', '5')).toEqual({ percent: 0, label: 'no share' });
});

test.each([
  ['14175.16', ['0', '5000', '10000', '15000']],
  ['0.0142', ['0', '0.005', '0.01', '0.015']],
  ['7', ['0', '4', '8']],
  ['0', ['0', '1']],
  ['99999999999999999999999.1', ['0', '50000000000000000000000', '100000000000000000000000']],
])('a grid for amounts up to %s', (most, lines) => expect(amountGrid(most)).toEqual(lines));

test('a mean is rounded for display', () => {
  expect(mean('161566.436377', 31)).toBe('5211.82');
  expect(mean('0.01', 3)).toBe('0.003333');
});
