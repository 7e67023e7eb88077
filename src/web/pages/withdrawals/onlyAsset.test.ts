import { expect, test } from 'vitest';
import { onlyAssetOn } from './withdrawalForm.ts';

const of = (held: Record<string, unknown>, complete = true) => ({
  complete,
  balances: Object.entries(held).map(([asset, available]) => ({ asset, available })),
});
const USUAL = { BTC: '1', ETH: '2', USDT: '3', USDC: '4' };

test.each([
  ['bitcoin', USUAL, 'BTC'],
  ['TRC20', USUAL, 'USDT'],
  ['ethereum', USUAL, ''],
  ['solana', { ...USUAL, USDC: '0' }, 'USDT'],
  ['solana', { ...USUAL, USDC: 'unreadable' }, ''],
  ['litecoin', USUAL, ''],
  ['their own chain', USUAL, ''],
  // An unknown token may be on any chain.
  ['bitcoin', { ...USUAL, OWN: '1' }, ''],
  ['bitcoin', { ...USUAL, OWN: '0' }, 'BTC'],
])('on %s, holding %o, only “%s” can be meant', (chain, held, asset) => {
  expect(onlyAssetOn(chain, of(held), [{ asset: 'OWN', chain: 'ethereum' }])).toBe(asset);
});

test('with incomplete balances no asset is the only one', () => {
  expect(onlyAssetOn('bitcoin', of(USUAL, false), [])).toBe('');
});
