import { expect, test } from 'vitest';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { learnLegs, otherLeg } from '#src/web/resources/ledger.tsx';
import { sourceOf, sourcePath } from '#src/shared/ledgerSource.ts';
import { pairSwap } from './swapPairs.ts';

const entry = (fields: object): LedgerEntryRow => ({ id: 'le_1', asset: 'BTC', ...fields });

test('an entry leads to its deposit or withdrawal, whichever field has its id', () => {
  expect(sourceOf(entry({ source: 'dep_1' }))).toBe('dep_1');
  expect(sourceOf(entry({ source: 'open_1', other: 'dep_1' }))).toBe('open_1');
  expect(sourceOf(entry({ reference: 'wd_2' }))).toBe('wd_2');
  expect(sourceOf({ ...entry({}), id: 'dep_1' })).toBeNull();
  expect(sourceOf(entry({ source: 7, reference: { id: 'dep_1' } }))).toBeNull();
  expect(sourcePath('dep_a/b')).toBe('/deposits/dep_a%2Fb');
  expect(sourcePath('wd_2')).toBe('/withdrawals/wd_2');
  expect(sourcePath('lt_2')).toBeNull();
});

test('two entries of one source in two assets are a swap, unless there is a transaction or a payment behind them', () => {
  const out = entry({ id: 'le_1', asset: 'BTC', amount: '-1', source: 'swp_1' });
  const into = entry({ id: 'le_2', asset: 'USDT', amount: '60000', source: 'swp_1' });
  expect(pairSwap([into, out])).toEqual({ out, in: into });
  expect(pairSwap([out])).toBeNull();
  expect(pairSwap([out, into, into])).toBeNull();
  expect(pairSwap([out, { ...into, asset: 'BTC' }])).toBeNull();
  expect(pairSwap([out, { ...into, amount: '-2' }])).toBeNull();
  expect(pairSwap([out, { ...into, tx_hash: '0x1' }])).toBeNull();
  expect(pairSwap([out, into].map((leg) => ({ ...leg, source: 'wd_1' })))).toBeNull();
});

test('legs find each other across pages', () => {
  const out = entry({ id: 'le_3', amount: '-1', source: 'swp_2' });
  const into = entry({ id: 'le_4', asset: 'USDT', amount: '60000', source: 'swp_2' });
  learnLegs({ data: [out] });
  expect(otherLeg(out)).toBeNull();
  learnLegs({ data: [into, entry({ id: 'le_5', source: 'dep_1', amount: '1' })] });
  expect(otherLeg(out)).toEqual({ leg: into, isOut: true });
  expect(otherLeg(into)).toEqual({ leg: out, isOut: false });
});
