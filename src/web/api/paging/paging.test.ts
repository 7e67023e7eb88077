import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WalkEnd } from '#src/shared/paging/followPages.ts';
import { pageMark } from '#src/shared/paging/nextStep.ts';
import { ApiError, saysNotFound } from '#src/web/api/errors.ts';
import { pageQuery } from './pageQuery.ts';
import { assertFollowed, BrokenPaging, type Page, listEnd, pageAfterPage, walkPages } from './paging.ts';

function page(
  data: string[],
  next_cursor: string | null,
  has_more: boolean | null = next_cursor !== null,
): Page<string> {
  return { data, malformed: [], next_cursor, has_more, mark: pageMark(data), requestId: null, date: null, readAt: 0 };
}

/** Everything a walk gives, and how it ended. */
async function walk(
  pages: Record<string, Page<string>>,
  startAfter?: string,
): Promise<{ seen: string[]; asked: number; end: WalkEnd }> {
  const seen: string[] = [];
  let asked = 0;
  const fetchPage = async (cursor: string | null): Promise<Page<string>> => {
    asked += 1;
    return pages[cursor ?? ''] ?? page([], null);
  };
  const end = await walkPages(fetchPage, ({ data }) => void seen.push(...data), { startAfter });
  return { seen, asked, end };
}

test('pages are walked to the end', async () => {
  const pages = { '': page(['1', '2'], 'a'), a: page(['3'], 'b'), b: page(['4'], null) };
  expect(await walk(pages)).toEqual({ seen: ['1', '2', '3', '4'], asked: 3, end: { kind: 'end' } });
  expect(await walk(pages, 'a')).toEqual({ seen: ['3', '4'], asked: 2, end: { kind: 'end' } });
});

test('the same cursor and more without a cursor stop the walk with the rows so far', async () => {
  const same = await walk({ '': page(['1'], 'a'), a: page(['2'], 'a') });
  expect(same).toMatchObject({ seen: ['1', '2'], asked: 2 });
  const circle = await walk({ '': page(['1'], 'a'), a: page(['2'], 'b'), b: page(['3'], 'a') });
  expect(circle).toMatchObject({ seen: ['1', '2', '3'], asked: 3 });
  const none = await walk({ '': page(['1'], null, true) });
  expect(none).toMatchObject({ seen: ['1'], asked: 1 });
  const empty = await walk({ '': page([], 'a'), a: page([], 'a') });
  expect(empty).toMatchObject({ seen: [], asked: 2 });
  for (const { end } of [same, circle, none, empty]) {
    expect(end).toMatchObject({ kind: 'broken' });
    expect(() => assertFollowed(end)).toThrow(BrokenPaging);
  }
});

test('an empty page with a new cursor is followed, 20 times in a row and no further', async () => {
  const empty = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`e${from + at}`, page([], `e${from + at + 1}`)]));
  const pages = {
    '': page(['1'], 'e0'),
    ...empty(0, 20),
    e20: page(['2'], 'e21'),
    ...empty(21, 20),
    e41: page(['3'], null),
  };
  expect(await walk(pages)).toEqual({ seen: ['1', '2', '3'], asked: 43, end: { kind: 'end' } });
  expect(await walk({ '': page(['1'], 'e0'), ...empty(0, 30) })).toMatchObject({
    seen: ['1'],
    asked: 22,
    end: { kind: 'broken', reason: expect.stringContaining('more than 20 empty pages in a row') },
  });
});

test('the same rows again under a new cursor stop the walk; at the end of a list they are its end', async () => {
  const pages = { '': page(['1', '2'], 'a'), a: page(['1', '2'], 'b'), b: page(['1', '2'], 'c') };
  expect(await walk(pages)).toMatchObject({ asked: 2, end: { kind: 'broken' } });
  expect(await walk({ ...pages, a: page(['1', '2'], null) })).toMatchObject({ asked: 2, end: { kind: 'end' } });
  expect(await walk({ ...pages, a: page(['2', '3'], 'x') })).toMatchObject({ asked: 3, end: { kind: 'end' } });
  const inTurn = {
    '': page(['1', '2'], 'a'),
    a: page(['3', '4'], 'b'),
    b: page(['1', '2'], 'c'),
    c: page(['3', '4'], 'd'),
  };
  expect(await walk(inTurn)).toMatchObject({ asked: 3, end: { kind: 'broken' } });
  const apart = { ...pages, a: page([], 'b') };
  expect(await walk(apart)).toMatchObject({ asked: 3, end: { kind: 'broken' } });
});

test('the end of a cached list follows from its pages', () => {
  expect(listEnd(undefined)).toBeNull();
  expect(listEnd({ pages: [], pageParams: [] })).toBeNull();
  expect(listEnd({ pages: [page(['1'], 'a'), page(['2'], 'a')], pageParams: [null, 'a'] })).toMatchObject({
    kind: 'broken',
  });
  expect(listEnd({ pages: [page(['1'], 'a')], pageParams: [null] })).toEqual({ kind: 'more', cursor: 'a' });
  const repeated = { pages: [page(['1', '2'], 'a'), page(['1', '2'], 'b')], pageParams: [null, 'a'] };
  expect(listEnd(repeated)).toMatchObject({ kind: 'broken' });
  const inTurn = { pages: [page(['1'], 'a'), page(['2'], 'b'), page(['1'], 'c')], pageParams: [null, 'a', 'b'] };
  expect(listEnd(inTurn)).toMatchObject({ kind: 'broken' });
  const [first, second] = repeated.pages;
  if (!first || !second) throw new Error('no pages');
  expect(pageAfterPage.getNextPageParam(second, [first, second], 'a', [null, 'a'])).toBeNull();
  expect(pageAfterPage.getNextPageParam(first, [first], null, [null])).toBe('a');
});

test('a walk that is stopped requests no more pages', async () => {
  const stop = new AbortController();
  let asked = 0;
  const fetchPage = async () => page([String((asked += 1))], String(asked));
  const seen: string[] = [];
  const walking = walkPages(
    fetchPage,
    ({ data }) => {
      seen.push(...data);
      if (asked === 2) stop.abort(new Error('cancelled'));
    },
    { signal: stop.signal },
  );
  await expect(walking).rejects.toThrow('cancelled');
  expect([asked, seen]).toEqual([2, ['1', '2']]);
});

test('a page that arrives after the walk was stopped is dropped', async () => {
  const stop = new AbortController();
  const fetchPage = async () => {
    stop.abort(new Error('cancelled'));
    return page(['1'], 'a');
  };
  const seen: string[] = [];
  const walking = walkPages(fetchPage, ({ data }) => void seen.push(...data), { signal: stop.signal });
  await expect(walking).rejects.toThrow('cancelled');
  expect(seen).toEqual([]);
});

test('a page limit returns the cursor to continue from, and a caller that has enough ends the walk without one', async () => {
  const pages: Record<string, Page<string>> = { '': page(['1'], 'a'), a: page(['2'], 'b'), b: page(['3'], null) };
  const fetchPage = async (cursor: string | null) => pages[cursor ?? ''] ?? page([], null);
  const take = () => undefined;
  expect(await walkPages(fetchPage, take, { maxPages: 2 })).toEqual({ kind: 'more', cursor: 'b' });
  expect(await walkPages(fetchPage, take, { startAfter: 'b', maxPages: 1 })).toEqual({ kind: 'end' });
  expect(await walkPages(fetchPage, () => 'enough')).toEqual({ kind: 'enough' });
});

test('reading ahead requests the next page early, and reports its failure only after the page before was handled', async () => {
  const log: string[] = [];
  const fetchPage = async (cursor: string | null) => {
    log.push(`asked ${cursor}`);
    if (cursor === 'b') throw new Error('lost');
    return page([`${cursor}`], cursor === null ? 'a' : 'b');
  };
  const take = async ({ data }: Page<string>): Promise<undefined> => {
    await Promise.resolve();
    log.push(`took ${data.join()}`);
  };
  await expect(walkPages(fetchPage, take, { ahead: true })).rejects.toThrow('lost');
  expect(log).toEqual(['asked null', 'asked a', 'took null', 'asked b', 'took a']);
  log.length = 0;
  // Nothing is requested past a page limit or the end.
  expect(await walkPages(fetchPage, take, { ahead: true, maxPages: 1 })).toEqual({ kind: 'more', cursor: 'a' });
  expect(log).toEqual(['asked null', 'took null']);
});

test('an error of a later page doesn’t mean that the list is missing', async () => {
  const fails = (at: string | null) => async (cursor: string | null) => {
    if (cursor === at)
      throw new ApiError('gone', { kind: 'http', status: 404, type: 't', code: 'not_found', requestId: 'r' });
    return page(['1'], 'a');
  };
  const errorOf = async (at: string | null, startAfter?: string) =>
    walkPages(fails(at), () => undefined, { startAfter }).catch((error: unknown) => error);
  expect(saysNotFound(await errorOf(null))).toBe(true);
  expect(saysNotFound(await errorOf('a'))).toBe(false);
  expect(saysNotFound(await errorOf('b', 'b'))).toBe(false);
});

test('the next page is requested before the items of this one are read', async () => {
  const log: string[] = [];
  const fetchPage = async (cursor: string | null): Promise<Page<string>> => {
    log.push(`asked ${cursor}`);
    const { data, ...rest } = page(['1'], cursor === null ? 'a' : null);
    return {
      ...rest,
      get data() {
        log.push(`read ${cursor}`);
        return data;
      },
    };
  };
  expect(await walkPages(fetchPage, () => undefined, { ahead: true })).toEqual({ kind: 'end' });
  expect(log.slice(0, 3)).toEqual(['asked null', 'asked a', 'read null']);
});

test('any cursor is encoded once and comes back as it was, with the filters beside it', () => {
  const cursor = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: fc.constantFrom('+', '/', '=', '%', '&', '#', ' ', '%2B') }),
    fc.constant('+/=%&'.repeat(800)),
  );
  fc.assert(
    fc.property(cursor, fc.string({ minLength: 1 }), (after, status) => {
      const query = pageQuery({ status, order: 'asc', created_after: 5 }, after, 100);
      const read = new URL(`http://house.test/v1/deposits?${query.toString()}`).searchParams;
      expect(Object.fromEntries(read)).toEqual({
        limit: '100',
        status,
        created_after: '5',
        order: 'asc',
        starting_after: after,
      });
    }),
  );
});
