import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageQuery } from './listQuery.ts';
import { BrokenPaging, type Page, listEnd, nextStep, walkPages } from './paging.ts';

function page(
  data: string[],
  next_cursor: string | null,
  has_more: boolean | null = next_cursor !== null,
): Page<string> {
  return { data, malformed: [], next_cursor, has_more, requestId: null, date: null, readAt: 0 };
}

/** Everything a walk gives, and how it ended. */
async function walk(
  pages: Record<string, Page<string>>,
  startAfter?: string,
): Promise<{ seen: string[]; asked: number; end: unknown }> {
  const seen: string[] = [];
  let asked = 0;
  const fetchPage = async (cursor: string | null): Promise<Page<string>> => {
    asked += 1;
    return pages[cursor ?? ''] ?? page([], null);
  };
  try {
    for await (const { data } of walkPages(fetchPage, startAfter === undefined ? {} : { startAfter }))
      seen.push(...data);
    return { seen, asked, end: 'end' };
  } catch (error) {
    return { seen, asked, end: error };
  }
}

test('pages are walked to the end', async () => {
  const pages = { '': page(['1', '2'], 'a'), a: page(['3'], 'b'), b: page(['4'], null) };
  expect(await walk(pages)).toEqual({ seen: ['1', '2', '3', '4'], asked: 3, end: 'end' });
  expect(await walk(pages, 'a')).toEqual({ seen: ['3', '4'], asked: 2, end: 'end' });
});

test('a short page is not an end, and only has_more or the cursor is', () => {
  expect(nextStep(page(['1'], 'a'), [null])).toEqual({ kind: 'more', cursor: 'a' });
  expect(nextStep(page(['1'], 'a', false), [null])).toEqual({ kind: 'end' });
  expect(nextStep(page([], null), [null])).toEqual({ kind: 'end' });
  expect(nextStep(page(['1'], null, null), [null])).toEqual({ kind: 'end' });
  expect(nextStep(page(['1'], 'a', null), [null])).toEqual({ kind: 'more', cursor: 'a' });
});

test('the same cursor, none at all and an empty page stop the walk with the rows so far', async () => {
  const same = await walk({ '': page(['1'], 'a'), a: page(['2'], 'a') });
  expect(same).toMatchObject({ seen: ['1', '2'], asked: 2 });
  const circle = await walk({ '': page(['1'], 'a'), a: page(['2'], 'b'), b: page(['3'], 'a') });
  expect(circle).toMatchObject({ seen: ['1', '2', '3'], asked: 3 });
  const none = await walk({ '': page(['1'], null, true) });
  expect(none).toMatchObject({ seen: ['1'], asked: 1 });
  const empty = await walk({ '': page(['1'], 'a'), a: page([], 'b') });
  expect(empty).toMatchObject({ seen: ['1'], asked: 2 });
  for (const { end } of [same, circle, none, empty]) expect(end).toBeInstanceOf(BrokenPaging);
});

test('a list in the cache knows how it ends', () => {
  expect(listEnd(undefined)).toBeNull();
  expect(listEnd({ pages: [], pageParams: [] })).toBeNull();
  expect(listEnd({ pages: [page(['1'], 'a'), page(['2'], 'a')], pageParams: [null, 'a'] })).toMatchObject({
    kind: 'broken',
  });
  expect(listEnd({ pages: [page(['1'], 'a')], pageParams: [null] })).toEqual({ kind: 'more', cursor: 'a' });
});

test('a walk that is stopped asks no more', async () => {
  const stop = new AbortController();
  const pages = walkPages(async () => page(['1'], 'a'), { signal: stop.signal });
  await pages.next();
  stop.abort(new Error('enough'));
  await expect(pages.next()).rejects.toThrow('enough');
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
