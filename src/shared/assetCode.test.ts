import { expect, test } from 'vitest';
import { codeWarning } from './assetCode.ts';
import { codeOf } from '#src/web/list/rows/amountWidth.ts';

test.each([
  ['usdt', ['USDT'], 'You hold “USDT”. Codes are case-sensitive.'],
  ['USDT', ['USD₮'], 'You hold “USD₮”. Each code is another asset.'],
  ['Usdt', ['USDT', 'usdt'], 'You hold “USDT” and “usdt”. Codes are case-sensitive.'],
  // The account holds the code as it was typed, and another one.
  ['vUSDC', ['VUSDC', 'vUSDC'], 'You also hold “VUSDC”, another asset. Check which one is meant.'],
  ['USDT', ['USDT', 'USD₮', 'usdt'], 'You also hold “USD₮” and “usdt”, other assets. Check which one is meant.'],
  ['Usdt', ['USDT', 'USD₮', 'usdt'], 'You hold “USDT”, “USD₮” and “usdt”. Each code is another asset.'],
  ['USDT', ['USDT', 'USDC'], undefined],
  ['USDC.e', ['USDC'], undefined],
  ['', ['USDT'], undefined],
])('the code %s, with %j in the account: %s', (typed, held, words) => {
  expect(codeWarning(typed, held)).toBe(words);
});

test('a look-alike code is named, even if the account holds it', () => {
  const fake = 'USD\u0422';
  for (const held of [['USDT'], [fake], []])
    expect(codeWarning(fake, held)).toBe(
      'This code has characters that only look like others: USD\u0422⟨U+0422⟩. Check which asset is meant.',
    );
  // Also next to every amount of a list.
  expect(codeOf(fake)).toBe('USD\u0422⟨U+0422⟩');
});
