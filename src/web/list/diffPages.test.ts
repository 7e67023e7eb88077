import { describe, expect, test } from 'vitest';
import { countNew, describeChanged, describeNews, diffPages } from './diffPages.ts';
import { rowIndexer } from './rows/rowIndex.ts';

interface Row {
  id: string;
}
const indexRows = rowIndexer<Row>();
const deposits = { one: 'deposit', many: 'deposits' };

function fresh(list: Row[], page: Row[], has_more = true) {
  const index = indexRows([{ data: list, malformed: [] }]);
  return countNew(index, { data: page, has_more });
}
const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id }));

describe('a first page read again', () => {
  test('counts the unknown ids', () => {
    expect(fresh(rows('c', 'b', 'a'), rows('e', 'd', 'c', 'b'))).toEqual({ added: 2, orMore: false });
  });

  test('says "or more" when it has no known id', () => {
    const found = fresh(rows('c', 'b'), rows('z', 'y', 'x'));
    expect(found).toEqual({ added: 3, orMore: true });
    expect(describeNews(found, 0, deposits)).toBe('3 or more new deposits');
  });

  test('gives the exact count if the list was empty before, or no page follows', () => {
    expect(fresh([], rows('a', 'b'), false).orMore).toBe(false);
    expect(fresh(rows('a'), rows('b'), false).orMore).toBe(false);
  });

  test('does not count a row that moved up from the part not loaded', () => {
    // "c" no longer fits the filter, so an older row came onto the page.
    expect(fresh(rows('c', 'b', 'a'), rows('b', 'a', 'older'))).toEqual({ added: 0, orMore: false });
  });

  test('counts a late row between known ones', () => {
    expect(fresh(rows('c', 'a'), rows('c', 'b', 'a')).added).toBe(1);
  });

  test('counts each id once', () => {
    const found = fresh(rows('a'), rows('b', 'b', 'a'));
    expect(found).toEqual({ added: 1, orMore: false });
    expect(describeNews(found, 2, deposits)).toBe('1 new deposit, 2 no longer in this filter');
  });

  test('without new rows has no description', () => {
    expect(describeNews(fresh(rows('a'), rows('a')), 0, deposits)).toBe('');
  });
});

test('changed rows are described by their number', () => {
  expect([1, 3].map((changed) => describeChanged(changed, deposits))).toEqual([
    '1 deposit changed',
    '3 deposits changed',
  ]);
});

interface SettlingRow {
  id: string;
  status: string;
}
const indexSettling = rowIndexer<SettlingRow>();
const settlingRows = (ids: string, status = 'pending'): SettlingRow[] => ids.split('').map((id) => ({ id, status }));

function news(pages: string[], again: SettlingRow[], start = 0, has_more = true) {
  const index = indexSettling(pages.map((ids) => ({ data: settlingRows(ids), malformed: [] })));
  const { changed, left } = diffPages(index, { data: again, has_more }, start);
  return { changed: [...changed.keys()].join(''), left: left.join('') };
}

describe('a page that was read again', () => {
  test('without changes reports nothing', () => {
    expect(news(['abc', 'def'], settlingRows('abc'))).toEqual({ changed: '', left: '' });
  });

  test('updates the rows that differ, whichever page of the list has them', () => {
    const again = [...settlingRows('ab'), ...settlingRows('cd', 'completed')];
    expect(news(['abc', 'def'], again)).toEqual({ changed: 'cd', left: '' });
  });

  test('ignores rows that the list does not have', () => {
    expect(news(['abc'], settlingRows('xyabc', 'failed'))).toEqual({ changed: 'abc', left: '' });
  });

  test('reports the rows that are missing between its rows', () => {
    expect(news(['abcd', 'efgh'], settlingRows('bdef')).left).toBe('ac');
    expect(news(['abcd', 'efgh'], settlingRows('fh'), 4).left).toBe('eg');
  });

  test('reports nothing about rows after its last one, which new rows pushed off it', () => {
    expect(news(['abcd'], settlingRows('xyab')).left).toBe('');
    expect(news(['abcd'], settlingRows('wxyz')).left).toBe('');
  });

  test('as the last page, reports all later rows of the list as missing', () => {
    expect(news(['abcd', 'ef'], settlingRows('e'), 4, false).left).toBe('f');
    expect(news(['ab'], [], 0, false).left).toBe('ab');
  });

  test('uses the first of two rows with the same id', () => {
    const again = [{ id: 'a', status: 'pending' }, { id: 'a', status: 'failed' }, ...settlingRows('b')];
    expect(news(['ab'], again)).toEqual({ changed: '', left: '' });
  });
});
