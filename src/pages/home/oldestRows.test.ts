import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Page } from '#src/api/paging.ts';
import { oldestRows } from './oldestRows.ts';
import type { HomeRow } from './recentRows.ts';

const row: HomeRow = { id: 'dep_1', status: 'pending', asset: 'BTC', chain: 'bitcoin', amount: '1', created_at: 1 };
const page = (more: Partial<Page<HomeRow>>): Page<HomeRow> => ({
  data: [row],
  malformed: [],
  has_more: false,
  next_cursor: null,
  requestId: null,
  date: null,
  readAt: 0,
  ...more,
});
const moreOf = async (pages: Record<string, Page<HomeRow>>, statuses = Object.keys(pages)) => {
  const options = oldestRows(['a'], statuses, async (status) => pages[status] ?? page({}));
  return (await new QueryClient().fetchQuery(options)).more;
};

test('a status is read whole only where the service says that its page was all, and every item was a row', async () => {
  expect(
    await moreOf({
      all: page({}),
      short: page({ has_more: true, next_cursor: 'dep_1' }),
      nowhere: page({ has_more: true }),
      nameless: page({ malformed: [{}] }),
    }),
  ).toEqual(['short', 'nowhere', 'nameless']);
});

test('more statuses than are asked for one by one are said to have more', async () => {
  expect(await moreOf({}, ['a', 'b', 'c', 'd', 'e'])).toEqual(['e']);
});
