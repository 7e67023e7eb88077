import { expect, test } from 'vitest';
import { integerWidth } from '#src/web/ui/Amount.tsx';
import { movementWidth } from './movementWidth.ts';

test('movements are aligned at the decimal point unless that would make one of them wrap', () => {
  expect(movementWidth(['61343.159187', '0.00353451'])).toBe(integerWidth(['61343.159187']).css);
  expect(movementWidth(['12.5', '0.102044302531860764'])).toBe(integerWidth(['12.5']).css);
  expect(movementWidth(['61343.159187', '0.102044302531860764'])).toBe('0');
  expect(movementWidth(['61343159187.1', '0.5', null])).toBe('0');
});
