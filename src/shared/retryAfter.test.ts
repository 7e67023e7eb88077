import { expect, test } from 'vitest';
import { parseRetryAfter } from './answers.ts';

const NOW = Date.UTC(2026, 10, 21, 13, 58, 22);

test('seconds and HTTP dates are read', () => {
  expect(parseRetryAfter('5', NOW)).toBe(5);
  expect(parseRetryAfter(' 0 ', NOW)).toBe(0);
  expect(parseRetryAfter('99999', NOW)).toBe(99_999);
  expect(parseRetryAfter('Sat, 21 Nov 2026 13:59:22 GMT', NOW)).toBe(60);
  expect(parseRetryAfter('Saturday, 21-Nov-26 13:59:22 GMT', NOW)).toBe(60);
  expect(parseRetryAfter('Sat Nov 21 13:59:22 2026', NOW)).toBe(60);
  expect(parseRetryAfter('Sat, 21 Nov 2026 13:00:00 GMT', NOW)).toBe(0);
});

test('junk and negative numbers fall back to the default', () => {
  for (const junk of [null, '', 'abc', '-5', '5.5', '+5', '1e3', '2026-11-21', 'Sat, junk 13:59:22']) {
    expect([junk, parseRetryAfter(junk, NOW)]).toEqual([junk, null]);
  }
});
