import { expect, test } from 'vitest';
import { heightsOf } from './balanceLine.tsx';

test('heights range from the least to the most amount, or from a given minimum', () => {
  expect(heightsOf(['5', '10', '7.5'])).toEqual([0, 1, 0.5]);
  expect(heightsOf(['5', '10'], { least: '0' })).toEqual([0.5, 1]);
  expect(heightsOf(['5', '5'])).toEqual([0, 0]);
});
