import { describe, expect, test } from 'vitest';
import { pageNews } from './pageNews.ts';
import { rowIndexer } from './rowIndex.ts';

interface Row {
  id: string;
  status: string;
}
const indexRows = rowIndexer<Row>();
const rows = (ids: string, status = 'pending'): Row[] => ids.split('').map((id) => ({ id, status }));

function news(pages: string[], again: Row[], start = 0, has_more = true) {
  const index = indexRows(pages.map((ids) => ({ data: rows(ids), malformed: [] })));
  const { changed, left } = pageNews(index, { data: again, has_more }, start);
  return { changed: [...changed.keys()].join(''), left: left.join('') };
}

describe('a page that was read again', () => {
  test('that reads the same says nothing', () => {
    expect(news(['abc', 'def'], rows('abc'))).toEqual({ changed: '', left: '' });
  });

  test('renews the rows that read differently, whichever page of the list has them', () => {
    const again = [...rows('ab'), ...rows('cd', 'completed')];
    expect(news(['abc', 'def'], again)).toEqual({ changed: 'cd', left: '' });
  });

  test('leaves rows alone that the list does not have', () => {
    expect(news(['abc'], rows('xyabc', 'failed'))).toEqual({ changed: 'abc', left: '' });
  });

  test('names the rows that are missing between those it has', () => {
    expect(news(['abcd', 'efgh'], rows('bdef')).left).toBe('ac');
    expect(news(['abcd', 'efgh'], rows('fh'), 4).left).toBe('eg');
  });

  test('says nothing of rows past its own last one, pushed off it by new ones', () => {
    expect(news(['abcd'], rows('xyab')).left).toBe('');
    expect(news(['abcd'], rows('wxyz')).left).toBe('');
  });

  test('as the last page of the list it has all that there is', () => {
    expect(news(['abcd', 'ef'], rows('e'), 4, false).left).toBe('f');
    expect(news(['ab'], [], 0, false).left).toBe('ab');
  });

  test('takes the first of an id that comes twice', () => {
    const again = [{ id: 'a', status: 'pending' }, { id: 'a', status: 'failed' }, ...rows('b')];
    expect(news(['ab'], again)).toEqual({ changed: '', left: '' });
  });
});
