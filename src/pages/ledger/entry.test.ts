import { expect, test } from 'vitest';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { asWideAs, fieldText, sourceOf, sourcePath } from './entry.ts';

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

test('fields of no stated kind are shown as they came', () => {
  expect([fieldText('a'), fieldText(''), fieldText(7), fieldText({ a: null })]).toEqual(['a', '', '7', '{"a":null}']);
  expect([fieldText(undefined), fieldText(null)]).toEqual([null, null]);
});

test('room is kept for a sign', () => {
  expect([asWideAs(entry({ amount: '1.5' })), asWideAs(entry({ amount: '-1.5' }))]).toEqual(['-1.5', '-1.5']);
  expect(asWideAs(entry({ amount: 7 }))).toBe(7);
});
