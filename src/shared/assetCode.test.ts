import { expect, test } from 'vitest';
import { codeWarning } from './assetCode.ts';
import { codeOf } from '#src/web/list/rows/amountWidth.ts';

test.each([
  ['usdt', ['USDT'], 'You hold “USDT”. Codes are case-sensitive.'],
  ['USDT', ['USD₮'], 'You hold “USD₮”. Each code is another asset.'],
  ['Usdt', ['USDT', 'usdt'], 'You hold “USDT” and “usdt”. Codes are case-sensitive.'],
  // Held as it is typed, and so is another.
  ['vUSDC', ['VUSDC', 'vUSDC'], 'You also hold “VUSDC”, another asset. Check which one is meant.'],
  ['USDT', ['USDT', 'USD₮', 'usdt'], 'You also hold “USD₮” and “usdt”, other assets. Check which one is meant.'],
  ['Usdt', ['USDT', 'USD₮', 'usdt'], 'You hold “USDT”, “USD₮” and “usdt”. Each code is another asset.'],
  ['USDT', ['USDT', 'USDC'], undefined],
  ['USDC.e', ['USDC'], undefined],
  ['', ['USDT'], undefined],
])('of the code %s, where %j are held: %s', (typed, held, words) => {
  expect(codeWarning(typed, held)).toBe(words);
});

test('a code that only looks like another one is named, also where it is held', () => {
  const fake = 'USD\u0422';
  for (const held of [['USDT'], [fake], []])
    expect(codeWarning(fake, held)).toBe(
      'This code has characters that only look like others: USD\u0422⟨U+0422⟩. Check which asset is meant.',
    );
  // Beside every amount of a list, too.
  expect(codeOf(fake)).toBe('USD\u0422⟨U+0422⟩');
});
