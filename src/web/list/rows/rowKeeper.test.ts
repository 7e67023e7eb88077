import { expect, test } from 'vitest';
import { rowKeeper } from './rowIndex.ts';
import { positionOf, rowAt, rowIndexer, withNewer } from './rowIndex.ts';

interface Row {
  id: string;
  chain: string;
}
const page = (...rows: Row[]) => ({ data: rows, malformed: [] });
const tron = (id: string): Row => ({ id, chain: 'tron' });
const other = (id: string): Row => ({ id, chain: 'solana' });

test('of the rows loaded those that belong are found by number and by id, page after page', () => {
  const [indexRows, kept] = [rowIndexer<Row>(), rowKeeper<Row>(({ chain }) => chain === 'tron')];
  const pages = [page(tron('a'), other('b'), tron('c')), page(other('d')), page(other('e'), tron('f'))];
  const some = kept(indexRows(pages.slice(0, 2)));
  expect([some.count, some.barren, rowAt(some, 1)?.id]).toEqual([2, 1, 'c']);
  const all = kept(indexRows(pages));
  expect([all.count, all.barren, rowAt(all, 2)?.id, positionOf(all, 'f'), positionOf(all, 'b')]).toEqual([
    3,
    0,
    'f',
    2,
    -1,
  ]);
  // The list is the same one, grown: nothing is scrolled back.
  expect(all.positions).toBe(some.positions);
  expect(kept(indexRows(pages))).toBe(all);
});

test('a page whose rows all belong stays the array it was', () => {
  const indexRows = rowIndexer<Row>();
  const index = indexRows([page(tron('a'), tron('b'))]);
  expect(rowKeeper<Row>(() => true)(index).kept[0]).toBe(index.kept[0]);
});

test('a row that was renewed stays where it stands, whatever it reads like now, and none comes between', () => {
  const [indexRows, kept] = [rowIndexer<Row>(), rowKeeper<Row>(({ chain }) => chain === 'tron')];
  const pages = [page(tron('a'), other('b'), tron('c')), page(tron('d'))];
  const before = kept(indexRows(pages));
  const newer = new Map([
    ['b', tron('b')],
    ['c', other('c')],
  ]);
  const after = kept(indexRows(pages.map((each) => withNewer(each, newer))));
  expect(after.positions).toBe(before.positions);
  expect([0, 1, 2].map((at) => rowAt(after, at))).toEqual([tron('a'), other('c'), tron('d')]);
  expect(after.count).toBe(3);
});
