import { expect, test } from 'vitest';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { sourceOf, sourcePath } from './ledgerSource.ts';

const entry = (fields: object): LedgerEntryRow => ({ id: 'le_1', asset: 'BTC', ...fields });

test('an entry leads to its deposit or withdrawal, in whatever field the id stands', () => {
  expect(sourceOf(entry({ source: 'dep_1' }))).toBe('dep_1');
  expect(sourceOf(entry({ source: 'open_1', other: 'dep_1' }))).toBe('open_1');
  expect(sourceOf(entry({ reference: 'wd_2' }))).toBe('wd_2');
  expect(sourceOf({ ...entry({}), id: 'dep_1' })).toBeNull();
  expect(sourceOf(entry({ source: 7, reference: { id: 'dep_1' } }))).toBeNull();
  expect(sourcePath('dep_a/b')).toBe('/deposits/dep_a%2Fb');
  expect(sourcePath('wd_2')).toBe('/withdrawals/wd_2');
  expect(sourcePath('lt_2')).toBeNull();
});
