import { expect, test } from 'vitest';
import { apiKeyFault, withoutInvisible } from './apiKey.ts';

const KEY = 'sk_live_0123456789';

test('visible ASCII is a key', () => {
  for (const key of [KEY, '!~', 'x'.repeat(1024)]) expect(apiKeyFault(key)).toBeNull();
});

test.each([
  ['\u200B', 'U+200B'],
  ['\uFEFF', 'U+FEFF'],
  ['\u2060', 'U+2060'],
  ['\u00AD', 'U+00AD'],
  ['\u200E', 'U+200E'],
  ['\u202F', 'U+202F'],
  ['\u00A0', 'U+00A0'],
  ['\u3164', 'U+3164'],
  ['\u{E0061}', 'U+E0061'],
  ['\n', 'U+000A'],
  ['\0', 'U+0000'],
])('an invisible character is named and can be removed: %j', (character, code) => {
  expect(apiKeyFault(KEY + character)).toBe(`The API key has an invisible character at its end (${code}).`);
  expect(apiKeyFault(character + KEY)).toBe(`The API key has an invisible character at its beginning (${code}).`);
  expect(apiKeyFault(`sk_${character}${KEY}`)).toContain(`in the middle (${code})`);
  expect(withoutInvisible(`${character}${KEY}${character}`)).toBe(KEY);
});

test('a space inside a key is named, as after a pasted "Bearer"', () => {
  expect(apiKeyFault(`Bearer ${KEY}`)).toBe('The API key has a space in the middle.');
  expect(withoutInvisible(`${KEY} `)).toBe(KEY);
});

test('a visible letter outside ASCII is named and not removed', () => {
  const key = `sk_\u0430${KEY}`;
  expect(apiKeyFault(key)).toBe('The API key has a character in the middle that no API key has: “\u0430” (U+0430).');
  expect(withoutInvisible(key)).toBe(key);
  expect(apiKeyFault('x'.repeat(1025))).toMatch(/longer/);
});
