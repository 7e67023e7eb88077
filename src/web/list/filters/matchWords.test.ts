import { expect, test } from 'vitest';
import { matchWords, nearestWord } from './matchWords.ts';

const KNOWN = ['BTC', 'ETH', 'USDC', 'USDT', 'usdt-test'];

test('words match in any case, the closest first', () => {
  expect(matchWords(KNOWN, 'usdt')).toEqual(['USDT', 'usdt-test']);
  expect(matchWords(KNOWN, 'usd')).toEqual(['USDC', 'USDT', 'usdt-test']);
  expect(matchWords(KNOWN, 'th')).toEqual(['ETH']);
  expect(matchWords([...KNOWN, 'usdt'], 'usdt')[0]).toBe('usdt');
  expect(matchWords(['USD₮', ...KNOWN], 'usdt')).toEqual(['USD₮', 'USDT', 'usdt-test']);
  expect(matchWords(KNOWN, 'USD₮')).toEqual(['USDT', 'usdt-test']);
  expect(matchWords(KNOWN, 'XYZ')).toEqual([]);
});

test('a word without a match suggests the nearest one, if any is near', () => {
  expect(nearestWord(KNOWN, 'usdt')).toBe('USDT');
  expect(nearestWord(KNOWN, 'UDST')).toBe('USDT');
  expect(nearestWord(KNOWN, 'DOGE')).toBeNull();
  expect(nearestWord(KNOWN, 'BTD')).toBe('BTC');
  expect(nearestWord(['completed', 'pending'], 'complete')).toBe('completed');
  expect(nearestWord(KNOWN, 'BTC')).toBeNull();
  expect(nearestWord([], 'BTC')).toBeNull();
});
