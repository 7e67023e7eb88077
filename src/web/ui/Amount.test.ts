import { expect, test } from 'vitest';
import { integerWidth } from './Amount.tsx';

test('a column grows with its longest integer part, separators included', () => {
  const small = integerWidth(['0.5', '12.000000000000000000']).em;
  const large = integerWidth(['0.5', '18204551.06']).em;
  expect(large).toBeGreaterThan(small);
  expect(large).toBeGreaterThanOrEqual(8 * 0.632 + 2 * 0.3);
});

test('a column never grows beyond the maximum', () => {
  expect(integerWidth(['9'.repeat(60)], 24).em).toBe(24);
});

test('a value that is not an amount takes no room', () => {
  expect(integerWidth([null, 12345678901234, 'x'.repeat(90)]).em).toBe(integerWidth(['1']).em);
});
