import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { counted, numberWords } from './count.ts';

test('whole numbers are grouped as English does', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(numberWords(count)).toBe(count.toLocaleString('en'));
    }),
  );
  expect(counted(1, 'row', 'rows')).toBe('1 row');
  expect(counted(1_200, 'row', 'rows')).toBe('1,200 rows');
});
