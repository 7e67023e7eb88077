import { expect, test } from 'vitest';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { markOf, sideOf } from './ledgerSide.ts';

const T = 1_790_000_000;
const entry = (amount: string, created_at: number): LedgerEntryRow => ({
  id: `le_${created_at}`,
  asset: 'BTC',
  amount,
  created_at,
});

test('what moved since the checkpoint and the snapshot agree to the last digit', () => {
  const side = sideOf('BTC', '1.000000000000000001', [entry('0.5', T), entry('-0.2', T + 1)], {
    total: '1.300000000000000001',
    at: T + 2,
    late: '0',
  });
  expect(side).toMatchObject({ verdict: 'agrees', movements: '0.3', closing: '1.300000000000000001', difference: '0' });
  expect(side.concerned).toEqual([]);
});

test('a snapshot that lags is explained by the entries younger than it, and by those alone', () => {
  const entries = [entry('0.5', T), entry('0.25', T + 9)];
  expect(sideOf('BTC', '1', entries, { total: '1.5', at: T + 5, late: '0' })).toMatchObject({
    verdict: 'explained',
    difference: '-0.25',
    concerned: [{ id: `le_${T + 9}` }],
  });
  expect(sideOf('BTC', '1', entries, { total: '1.4', at: T + 5, late: '0' })).toMatchObject({ verdict: 'unexplained' });
  expect(sideOf('BTC', '1', entries, { total: '1.5', at: null, late: '0' })).toMatchObject({
    verdict: 'unexplained',
    concerned: [{ id: `le_${T}` }, { id: `le_${T + 9}` }],
  });
});

test('a deposit that came late explains its own amount', () => {
  expect(sideOf('BTC', '1', [], { total: '5', at: T, late: '4' })).toMatchObject({
    verdict: 'explained',
    concerned: [],
  });
});

test('a balance without a readable total or time is no mark', () => {
  const balances = [
    { asset: 'BTC', total: '1', updated_at: T },
    { asset: 'ETH', total: 7, updated_at: T },
    { asset: 'LTC', total: '1', updated_at: null },
  ].map((row) => ({ available: '', pending: '', locked: '', ...row }));
  expect(markOf({ balances, date: T }).balances).toEqual([{ asset: 'BTC', total: '1', updated_at: T }]);
});
