import { expect, test } from 'vitest';
import { understand } from './understand.ts';
import { startsAutomatically } from './useFind.ts';

const rows = [{ kind: 'deposit' as const, row: { id: 'dep_SIEaQT3H0001', status: null, asset: null, chain: null } }];

test.each([
  ['dep_SIEaQT3H0001', false],
  // Half an id, an id in a different case, and an id that is not loaded.
  ['dep_SIEaQT3H', true],
  ['dep_sieaqt3h0001', true],
  ['wd_SIEaQT3H0001', true],
  ['dep_SIEaQT3H0001 dep_2', true],
  ['dep_SIE…0001', true],
  [`0x${'d0'.repeat(32)}`, true],
  ['0.5 ETH', true],
  // No payment has this id.
  ['op_1', false],
  ['le_1', false],
  ['3F2504E0-4F89-41D3-9A0C-0305E82C3301', false],
  ['acme', false],
])('a search for %s starts by itself: %s', (text, isSearched) => {
  const wanted = understand(text, { assets: ['ETH'], zone: 'utc', now: 1_795_000_000 });
  expect(startsAutomatically(wanted, rows)).toBe(isSearched);
});
