import { expect, test } from 'vitest';
import { rowIndexer } from './rows/rowIndex.ts';
import { pauseAfterQuiet, unsettledPages } from './useUnsettledRows.ts';

interface Row {
  id: string;
  status: string | null;
  created_at?: unknown;
}
const NOW = 1_790_000_000;
const DAY = 86_400;
const indexRows = rowIndexer<Row>();

let made = 0;
const row = (status: string | null, created_at: unknown = NOW - DAY): Row => ({ id: `r${made++}`, status, created_at });
const page = (...data: Row[]) => ({ data, malformed: [] });

function young(pages: ReturnType<typeof page>[], from: number, to: number, watched: string[] = []): number[] {
  return [...unsettledPages(indexRows(pages), { from, to }, NOW, (id) => watched.includes(id))];
}

test('pages with rows in sight that have not settled are read again, and no others', () => {
  const pages = [
    page(row('completed'), row('pending')),
    page(row('pending'), row('completed')),
    page(row('completed'), row('completed')),
    page(row('pending')),
  ];
  expect(young(pages, 0, 6)).toEqual([0, 1, 3]);
  expect(young(pages, 2, 5)).toEqual([1]);
  expect(young(pages, 3, 5)).toEqual([]);
  expect(young(pages, -3, 99)).toEqual([0, 1, 3]);
  expect(young(pages, 0, -1)).toEqual([]);
});

test('rows of a page that is polled anyway are not read twice', () => {
  const watched = row('pending');
  expect(young([page(watched), page(row('pending'))], 0, 1, [watched.id])).toEqual([1]);
});

test('only completed counts as settled, because the contract doesn’t list all statuses', () => {
  const pages = ['failed', 'broadcasted', 'on_hold', null, 'completed'].map((status) => page(row(status)));
  expect(young(pages, 0, 4)).toEqual([0, 1, 2, 3]);
});

test('rows older than three days by the service’s clock, or without a valid time, are not read again', () => {
  const times = [NOW - 3 * DAY + 1, NOW - 3 * DAY, NOW + 60, undefined, '1790000000', NOW * 1000];
  expect(
    young(
      times.map((time) => page({ ...row('pending'), created_at: time })),
      0,
      5,
    ),
  ).toEqual([0, 2]);
});

test('reads that find no change become rarer, and never stop', () => {
  expect([0, 1, 2, 5, 6, 100].map(pauseAfterQuiet)).toEqual([30_000, 45_000, 67_500, 227_812.5, 300_000, 300_000]);
});
