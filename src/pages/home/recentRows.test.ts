import { expect, test } from 'vitest';
import type { Page } from '#src/api/paging.ts';
import { type HomeRow, joined, readStretch } from './recentRows.ts';

const NOW = 1_800_000_000;
const DAY = 86_400;

/** A list of so many rows, one every so many seconds, in pages of 100; `asked` takes the cursors. */
function listOf(count: number, every: number, asked: (string | null)[] = []) {
  return async (cursor: string | null): Promise<Page<HomeRow>> => {
    asked.push(cursor);
    const from = cursor === null ? 0 : Number(cursor);
    const to = Math.min(count, from + 100);
    const data = Array.from({ length: to - from }, (_, at): HomeRow => {
      const n = from + at;
      return { id: `dep_${n}`, status: 's', asset: 'A', chain: 'c', amount: '1', created_at: NOW - n * every };
    });
    const has_more = to < count;
    return {
      data,
      malformed: [],
      has_more,
      next_cursor: has_more ? String(to) : null,
      requestId: 'r',
      date: NOW,
      readAt: 1,
    };
  };
}

test('a short list is read to its end', async () => {
  const read = await readStretch(listOf(230, 60), null, undefined);
  expect(read).toMatchObject({ stop: 'end', pages: 3, cursor: null, date: NOW });
  expect(joined([read])).toMatchObject({ since: null, pages: 3 });
});

test('a long one to a month back', async () => {
  const read = await readStretch(listOf(5000, DAY / 10), null, undefined);
  expect(read).toMatchObject({ stop: 'far-enough', pages: 4 });
  expect(joined([read])?.since).toBe(NOW - 399 * (DAY / 10));
});

test('a busy one to the bound, and on from there when asked', async () => {
  const asked: (string | null)[] = [];
  const read = await readStretch(listOf(1500, 60, asked), null, undefined);
  expect(read).toMatchObject({ stop: 'bound', pages: 10, cursor: '1000' });
  const on = await readStretch(listOf(1500, 60, asked), read.cursor, undefined);
  expect(on).toMatchObject({ stop: 'end', pages: 5 });
  expect(asked).toEqual([null, ...Array.from({ length: 14 }, (_, at) => String((at + 1) * 100))]);
  // A row that moved down while it was read comes twice, and counts once.
  const twice = joined([read, { ...on, rows: [...read.rows.slice(-3), ...on.rows] }]);
  expect(twice?.rows.length).toBe(1500);
});

test('paging that cannot be followed keeps what was read, and says why', async () => {
  const read = await readStretch(
    async (cursor) => ({ ...(await listOf(900, 60)(cursor)), has_more: true, next_cursor: 'same' }),
    null,
    undefined,
  ).catch((error: unknown) => error);
  expect(read).toMatchObject({ stop: 'broken', reason: expect.stringContaining('same place twice') });
});
