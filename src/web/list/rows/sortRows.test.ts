import { expect, test } from 'vitest';
import { positionOf, rowAt, rowIndexer } from './rowIndex.ts';
import { sortByAmount } from './sortRows.ts';

interface Row {
  id: string;
  amount: unknown;
}

const amountOf = ({ amount }: Row): unknown => amount;
const indexOf = (...amounts: unknown[]) =>
  rowIndexer<Row>()([{ data: amounts.map((amount, at) => ({ id: `row${at}`, amount })), malformed: [] }]);

test('rows are sorted by their exact amounts, unreadable ones last, equal ones as listed', () => {
  const index = indexOf('9', null, '10.000000000000000001', '10.000000000000000002', '0.5', '9.0');
  const largest = sortByAmount(index, amountOf, 'largest');
  const idsIn = (of: typeof index) => of.rows.map(({ id }) => id);
  expect(idsIn(largest)).toEqual(['row3', 'row2', 'row0', 'row5', 'row4', 'row1']);
  expect(idsIn(sortByAmount(index, amountOf, 'smallest'))).toEqual(['row4', 'row0', 'row5', 'row2', 'row3', 'row1']);
  expect([positionOf(largest, 'row3'), positionOf(largest, 'row1')]).toEqual([0, 5]);
});

test('a row that was read again is sorted by its latest amount', () => {
  const index = indexOf('1', '2');
  const meta = { requestId: null, date: null, readAt: 0 };
  const newer = new Map([['row0', { row: { id: 'row0', amount: '3' }, meta }]]);
  expect(rowAt(sortByAmount({ ...index, newer }, amountOf, 'largest'), 0)?.amount).toBe('3');
});
