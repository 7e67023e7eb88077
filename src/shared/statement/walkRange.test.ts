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

test('from a list that ignores order and bounds, every row of the range is read, each once', async () => {
  const T = 1_790_000_000;
  const rows = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((at) => ({ id: `wd_${at}`, asset: 'BTC', created_at: T + at }));
  const read = async (_: object, cursor: string | null): Promise<MonthPage> => {
    const from = rows.findIndex(({ id }) => id === cursor) + 1;
    const data = rows.slice(from, from + 2);
    const more = from + 2 < rows.length;
    return { data, malformed: [], has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
  };
  for (const checkpoint of [null, 'wd_3']) {
    const found: string[] = [];
    const range = { from: T + 4, to: T + 7, checkpoint };
    await walkRange(read, range, (page) => void found.push(...page.map(({ id }) => id)), new AbortController().signal);
    expect(found).toEqual(['wd_6', 'wd_5', 'wd_4']);
  }
});
