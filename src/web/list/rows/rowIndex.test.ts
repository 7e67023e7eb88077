import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepRenewed, positionOf, renewRows, rowAt, rowIndexer, withNewer } from './rowIndex.ts';

const indexRows = rowIndexer<{ id: string }>();

function page(...ids: string[]) {
  return { data: ids.map((id) => ({ id })), malformed: [] as unknown[] };
}

function allIds(pages: ReturnType<typeof page>[]): string[] {
  const index = indexRows(pages);
  return Array.from({ length: index.count }, (_, at) => rowAt(index, at)?.id ?? '?');
}

describe('the rows of many pages', () => {
  test('are found by number across short and empty pages', () => {
    expect(allIds([page('a', 'b'), page(), page('c'), page('d', 'e')])).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('hold each id once, within a page and across pages, the first one seen', () => {
    const index = indexRows([page('a', 'a', 'b'), page('b', 'c')]);
    expect(index.count).toBe(3);
    expect(index.repeated).toBe(2);
    expect(rowAt(index, 2)?.id).toBe('c');
  });

  test('outside the list there is no row', () => {
    const index = indexRows([page('a')]);
    expect([rowAt(index, -1), rowAt(index, 1)]).toEqual([undefined, undefined]);
    expect(positionOf(index, 'z')).toBe(-1);
  });

  test('appending a page leaves the pages before it alone', () => {
    const first = page('a', 'b');
    const before = indexRows([first]);
    const after = indexRows([first, page('b', 'c')]);
    expect(after.kept[0]).toBe(before.kept[0]);
    expect(after.count).toBe(3);
    expect(positionOf(before, 'c')).toBe(-1);
    expect(positionOf(after, 'c')).toBe(2);
  });

  test('another second page than the one known starts anew', () => {
    const first = page('a');
    indexRows([first, page('b')]);
    const other = indexRows([first, page('c', 'b')]);
    expect(rowAt(other, 1)?.id).toBe('c');
    expect(positionOf(other, 'b')).toBe(2);
  });

  test('pages that bring nothing new are counted, so that reading on can stop', () => {
    const first = page('a');
    expect(indexRows([first, page('a'), page()]).barren).toBe(2);
    expect(indexRows([first, page('a'), page('b')]).barren).toBe(0);
  });

  test('ids of one hash are told apart, also where a longer list was before', () => {
    const [one, other] = ['dep_17029', 'dep_150027'];
    const first = page(one, 'a');
    const index = indexRows([first, page(other), page('b')]);
    expect([positionOf(index, one), positionOf(index, other), index.repeated]).toEqual([0, 2, 0]);
    const anew = indexRows([first, page('b', other, one)]);
    expect([positionOf(anew, 'b'), positionOf(anew, other), anew.count]).toEqual([2, 3, 4]);
  });

  test('items that are no rows are counted', () => {
    expect(indexRows([{ data: [{ id: 'a' }], malformed: [null, 7] }]).malformed).toBe(2);
  });

  test('any pages, appended one by one, give what flattening and removing duplicates gives', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 8 }), (lists) => {
        const pages = lists.map((list) => page(...list));
        for (let length = 1; length <= pages.length; length += 1) indexRows(pages.slice(0, length));
        const expected = [...new Set(lists.flat())];
        expect(allIds(pages)).toEqual(expected);
        const index = indexRows(pages);
        for (const [at, id] of expected.entries()) expect(positionOf(index, id)).toBe(at);
      }),
    );
  });

  test('rows read later take the place of theirs, in one page and without a new list', () => {
    const first = page('a', 'a', 'b');
    const pages = [first, page('c', 'b', 'd'), page('e')];
    const before = indexRows(pages);
    const later = (id: string) => ({ id, status: 'completed' });
    const newer = new Map<string, { id: string }>([
      ['b', later('b')],
      ['d', later('d')],
      ['z', later('z')],
    ]);
    const renewed = pages.map((each) => withNewer(each, newer));
    expect(renewed[2]).toBe(pages[2]);
    const after = indexRows(renewed);
    expect(Array.from({ length: after.count }, (_, at) => rowAt(after, at)?.id)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([rowAt(after, 1), rowAt(after, 3)]).toEqual([newer.get('b'), newer.get('d')]);
    expect(after.positions).toBe(before.positions);
    expect(after.kept[2]).toBe(before.kept[2]);
    expect(indexRows(renewed)).toBe(after);
    // A next page that was on its way brings the rows as they were, and the list goes on.
    const longer = indexRows([...pages, page('f')]);
    expect(longer.positions).toBe(before.positions);
    expect(positionOf(longer, 'f')).toBe(5);
    expect(rowAt(longer, 1)).toEqual({ id: 'b' });
  });

  test('a row that comes twice is renewed in both pages, and others stay the objects they were', () => {
    const pages = [page('a', 'b'), page('c'), page('d', 'b')];
    const later = { id: 'b', status: 'completed' };
    const list = renewRows<{ id: string }, { pages: typeof pages }>(
      { pages },
      indexRows(pages),
      new Map([['b', later]]),
    );
    expect(list.pages.map(({ data }) => data.includes(later))).toEqual([true, false, true]);
    expect(list.pages[1]).toBe(pages[1]);
  });

  test('a next page that was on its way undoes no renewal, and a list begun anew is as it came', () => {
    const [first, second] = [page('a', 'b'), page('c')];
    const renewed = (before: typeof first, status: string) =>
      withNewer<{ id: string }, typeof first>(before, new Map([['b', Object.assign({ id: 'b' }, { status })]]));
    const sent = renewed(first, 'sent');
    const once = { pages: [sent, second] };
    const next = { pages: [first, second, page('d')], pageParams: [] };
    expect(keepRenewed(once, next)).toEqual({ ...next, pages: [sent, second, page('d')] });
    const twice = { pages: [renewed(sent, 'completed'), second] };
    expect(keepRenewed(once, twice)).toEqual(twice);
    expect(keepRenewed(twice, once)).toEqual(twice);
    const anew = { pages: [page('a', 'b')] };
    expect(keepRenewed(twice, anew)).toEqual(anew);
    expect(keepRenewed(undefined, anew)).toBe(anew);
  });
});
