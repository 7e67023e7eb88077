import { expect, test } from 'vitest';
import type { Zone } from '#src/shared/time.ts';
import { cellText, EXPORTED_LISTS } from './exportColumns.ts';

test('a cell shows a value that isn’t text as JSON, and is empty for a missing value', () => {
  expect([cellText(1.5), cellText(null), cellText(undefined), cellText({ a: 1 })]).toEqual(['1.5', '', '', '{"a":1}']);
});

test('a time is written as received, in UTC and in the zone; a value that isn’t a time only as received', () => {
  const times = EXPORTED_LISTS.deposits.columns.filter(({ name }) => name.startsWith('created_at'));
  const cells = (created_at: unknown, zone: Zone) =>
    times.map((column) => column.of({ id: 'dep_1', created_at }, zone));
  expect(cells(1_763_000_000, { name: 'Europe/Berlin' })).toEqual([
    1_763_000_000,
    '2025-11-13T02:13:20Z',
    '2025-11-13T03:13:20+01:00',
  ]);
  expect(cells(1_763_000_000_000, 'utc')).toEqual([1_763_000_000_000, '', '']);
});
