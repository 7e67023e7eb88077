import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageNumberOf, positionOf, type RowIndex, rowAt, rowIndexer } from './rowIndex.ts';

interface Row {
  id: string;
}
const page = (...ids: string[]) => ({ data: ids.map((id): Row => ({ id })), malformed: [] as unknown[] });
const allRows = <T extends Row>(index: RowIndex<T>) => Array.from({ length: index.count }, (_, at) => rowAt(index, at));
const idsOf = (index: RowIndex<Row>) => allRows(index).map((row) => row?.id);

describe('the rows of many pages', () => {
  test('are found by number across short and empty pages', () => {
    const index = rowIndexer<Row>()([page('a', 'b'), page(), page('c'), page('d', 'e')]);
    expect(idsOf(index)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([0, 1, 2, 3, 4].map((at) => pageNumberOf(index, at))).toEqual([0, 0, 2, 3, 3]);
  });

  test('hold each id once, within a page and across pages, the first one', () => {
    const index = rowIndexer<Row>()([page('a', 'a', 'b'), page('b', 'c')]);
    expect(idsOf(index)).toEqual(['a', 'b', 'c']);
    expect(index.repeated).toBe(2);
  });

  test('outside the list there is no row', () => {
    const index = rowIndexer<Row>()([page('a')]);
    expect([rowAt(index, -1), rowAt(index, 1)]).toEqual([undefined, undefined]);
    expect(positionOf(index, 'z')).toBe(-1);
  });

  test('appending a page extends the list and leaves the index before it as it was', () => {
    const indexRows = rowIndexer<Row>();
    const first = page('a', 'b');
    const before = indexRows([first]);
    const after = indexRows([first, page('b', 'c')]);
    expect(after.positions).toBe(before.positions);
    expect([idsOf(before), idsOf(after)]).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
    expect([positionOf(before, 'c'), positionOf(after, 'c')]).toEqual([-1, 2]);
    expect(rowAt(before, 2)).toBeUndefined();
  });

  test('the same pages give the same index', () => {
    const indexRows = rowIndexer<Row>();
    const pages = [page('a'), page('b')];
    expect(indexRows([...pages])).toBe(indexRows(pages));
  });

  test('another page than before, or fewer of them, make another list', () => {
    const indexRows = rowIndexer<Row>();
    const first = page('a');
    const before = indexRows([first, page('b')]);
    const other = indexRows([first, page('c', 'b')]);
    expect(other.positions).not.toBe(before.positions);
    expect([idsOf(other), positionOf(other, 'b')]).toEqual([['a', 'c', 'b'], 2]);
    expect(positionOf(indexRows([first]), 'c')).toBe(-1);
  });

  test('pages that add nothing are counted, so that loading can stop', () => {
    const first = page('a');
    expect(rowIndexer<Row>()([first, page('a'), page()]).barren).toBe(2);
    expect(rowIndexer<Row>()([first, page('a'), page('b')]).barren).toBe(0);
  });

  test('items that are not rows are counted', () => {
    expect(rowIndexer<Row>()([{ data: [{ id: 'a' }], malformed: [null, 7] }]).malformed).toBe(2);
  });

  test('any pages, appended one by one, give what flattening and removing duplicates gives', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '__proto__'), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 8 }), (lists) => {
        const indexRows = rowIndexer<Row>();
        const pages = lists.map((list) => page(...list));
        for (let length = 1; length <= pages.length; length += 1) indexRows(pages.slice(0, length));
        const index = indexRows(pages);
        const expected = [...new Set(lists.flat())];
        expect(idsOf(index)).toEqual(expected);
        for (const [at, id] of expected.entries()) expect(positionOf(index, id)).toBe(at);
      }),
    );
  });

  test('each page is reported once while the list grows', () => {
    const reported: unknown[] = [];
    const indexRows = rowIndexer<Row>({ onPage: (each) => reported.push(each) });
    const pages = [page('a'), page('b')];
    indexRows(pages.slice(0, 1));
    indexRows(pages);
    expect(reported).toEqual(pages);
  });
});

describe('rows that were read again', () => {
  test('replace those with the same ids, in the same places', () => {
    const index = rowIndexer<Row>()([page('a', 'b'), page('b', 'c')]);
    const later = { id: 'b', status: 'completed' };
    const meta = { requestId: null, date: null, readAt: 9 };
    const newer = new Map([later, { id: 'z' }].map((row) => [row.id, { row, meta }]));
    const renewed = { ...index, newer };
    expect([0, 1, 2].map((at) => rowAt(renewed, at))).toEqual([{ id: 'a' }, later, { id: 'c' }]);
    expect(rowAt(index, 1)).toEqual({ id: 'b' });
  });
});

describe('a list that keeps only some rows', () => {
  interface ChainRow extends Row {
    chain: string;
  }
  const tron = (id: string): ChainRow => ({ id, chain: 'tron' });
  const other = (id: string): ChainRow => ({ id, chain: 'solana' });
  const rows = (...data: ChainRow[]) => ({ data, malformed: [] });
  const keeps = ({ chain }: ChainRow) => chain === 'tron';

  test('has them by number and by id, page after page', () => {
    const indexRows = rowIndexer<ChainRow>({ keeps });
    const pages = [rows(tron('a'), other('b'), tron('c')), rows(other('d')), rows(other('e'), tron('f'))];
    const some = indexRows(pages.slice(0, 2));
    expect([idsOf(some), some.barren]).toEqual([['a', 'c'], 1]);
    const all = indexRows(pages);
    expect([idsOf(all), all.barren, all.repeated]).toEqual([['a', 'c', 'f'], 0, 0]);
    expect(['f', 'b'].map((id) => positionOf(all, id))).toEqual([2, -1]);
    expect([0, 1, 2].map((at) => pageNumberOf(all, at))).toEqual([0, 0, 2]);
    // The list is the same one, grown: the table does not scroll back.
    expect(all.positions).toBe(some.positions);
  });

  test('keeps a row that was read again in its place even if it no longer matches, and adds no other', () => {
    const indexRows = rowIndexer<ChainRow>({ keeps });
    const pages = [rows(tron('a'), other('b'), tron('c')), rows(tron('d'))];
    const meta = { requestId: null, date: null, readAt: 9 };
    const newer = new Map([tron('b'), other('c')].map((row) => [row.id, { row, meta }]));
    const after = { ...indexRows(pages), newer };
    expect(allRows(after)).toEqual([tron('a'), other('c'), tron('d')]);
  });
});
