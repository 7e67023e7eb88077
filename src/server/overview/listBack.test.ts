import { expect, test } from 'vitest';
import { createListBack } from './listBack.ts';

const NOW = 1_790_000_000;
const pageOf = (
  data: { id: string; created_at?: unknown }[],
  has_more: boolean,
  next_cursor: string | null = null,
) => ({
  data,
  malformed: [],
  has_more,
  next_cursor,
  requestId: null,
  date: NOW,
  readAt: NOW,
});

async function read(page: ReturnType<typeof pageOf>) {
  const list = createListBack<{ id: string; created_at?: unknown }>({
    days: 30,
    pagesMin: 1,
    pagesMax: 5,
    pagesLimit: 5,
  });
  await list.readNewest(async () => page);
  return list;
}

test('only the end of a list proves that all of it was read, even if no row has a readable time', async () => {
  expect((await read(pageOf([{ id: 'wd_1', created_at: NOW * 1000 }], false))).reached()).toBeNull();
  expect((await read(pageOf([{ id: 'wd_1', created_at: NOW - 9 }], true, 'a'))).reached()).toBe(NOW - 9);
  expect((await read(pageOf([{ id: 'wd_1', created_at: NOW * 1000 }], true, 'a'))).reached()).toBe(NOW);
  // There is more, but no cursor for it.
  expect((await read(pageOf([], true))).reached()).toBe(NOW);
});
