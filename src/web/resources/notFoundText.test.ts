import { expect, test } from 'vitest';
import { notFoundText } from './ResourcePage.tsx';

test('a payment that was not found is not called missing if rows had no readable ID', () => {
  const text = (scanned: number, malformed: number) => notFoundText('deposit', { scanned, malformed, complete: true });
  expect(text(0, 0)).toContain('in this account’s list, which is empty.');
  expect(text(30, 0)).toBe(
    'No deposit with exactly this ID in all 30 rows. It may not be listed yet or belong to another account.',
  );
  expect(text(30, 2)).toContain('2 of these rows had no readable ID; this deposit may be one of them. It may');
});
