import { expect, test } from 'vitest';
import { ListRefused, type MonthPage } from './monthReads.ts';
import { walkRange } from './walkRange.ts';

const page: MonthPage = {
  data: [{ id: 'a', asset: 'BTC', created_at: 1_790_000_000 }],
  malformed: [],
  has_more: true,
  next_cursor: 'a',
};

/** The error after `pages` pages if the service then responds with 404. */
async function failureAfter(pages: number): Promise<unknown> {
  let requests = 0;
  const read = async () => {
    requests += 1;
    if (requests > pages) throw new ListRefused({ status: 404, isNotFound: true }, null);
    return page;
  };
  const range = { from: 1_780_000_000, to: null };
  return walkRange(read, range, () => undefined, new AbortController().signal).catch((error: unknown) => error);
}

test('a list whose first page loaded exists, even if the next page is not found', async () => {
  const first = await failureAfter(0);
  expect(first instanceof ListRefused && first.saysNotOffered()).toBe(true);
  const later = await failureAfter(1);
  expect(later).toMatchObject({ isOfLaterPage: true });
  expect(later instanceof ListRefused && later.saysNotOffered()).toBe(false);
});
