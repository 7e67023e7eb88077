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

const T = 1_790_000_000;

/** The ids that are passed for the seconds 4 to 6, in a list with a row at each of these seconds, two on a page. */
async function idsOfRange(seconds: readonly number[], checkpoint: string | null): Promise<string[]> {
  const rows = seconds.map((at) => ({ id: `wd_${at}`, asset: 'BTC', created_at: T + at }));
  const read = async (_: object, cursor: string | null): Promise<MonthPage> => {
    const from = rows.findIndex(({ id }) => id === cursor) + 1;
    const data = rows.slice(from, from + 2);
    const more = from + 2 < rows.length;
    return { data, malformed: [], has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
  };
  const found: string[] = [];
  const range = { from: T + 4, to: T + 7, checkpoint };
  await walkRange(read, range, (page) => void found.push(...page.map(({ id }) => id)), new AbortController().signal);
  return found;
}

test.each([null, 'wd_3', 'wd_2', 'wd_1'])(
  'from a list that ignores order and bounds, every row of the range is read, each once, after the checkpoint %s',
  async (checkpoint) =>
    expect(await idsOfRange([9, 8, 7, 6, 5, 4, 3, 2, 1], checkpoint)).toEqual(['wd_6', 'wd_5', 'wd_4']),
);

test('a list that turns out to be unordered only later passes each row once, too', async () => {
  expect(await idsOfRange([6, 3, 4, 5, 7, 2], 'wd_3')).toEqual(['wd_4', 'wd_5', 'wd_6']);
});
