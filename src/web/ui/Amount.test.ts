import { expect, test } from 'vitest';
import { integerWidth } from './Amount.tsx';

test('grows with the longest integer part, marks included', () => {
  const small = integerWidth(['0.5', '12.000000000000000000']).em;
  const large = integerWidth(['0.5', '18204551.06']).em;
  expect(large).toBeGreaterThan(small);
  expect(large).toBeGreaterThanOrEqual(8 * 0.632 + 2 * 0.3);
});

test('never grows beyond the widest', () => {
  expect(integerWidth(['9'.repeat(60)], 24).em).toBe(24);
});

test('what is no amount needs no room', () => {
  expect(integerWidth([null, 12345678901234, 'x'.repeat(90)]).em).toBe(integerWidth(['1']).em);
});
