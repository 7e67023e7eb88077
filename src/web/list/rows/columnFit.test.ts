import { expect, test } from 'vitest';
import { fitColumns } from './columnFit.ts';

const created = { id: 'created', width: 11.5 };
const id = { id: 'id', width: 9 };
const cash = { id: 'cash' };
const payments = [created, { id: 'status', width: 9.75 }, id, { id: 'chain', width: 6.75 }, cash];

test('a list gives up Chain first, then Id, and never time, status or amount', () => {
  expect(fitColumns(70, 20, payments).shown).toEqual(['created', 'status', 'id', 'chain', 'cash']);
  expect(fitColumns(51, 20, payments).shown).toEqual(['created', 'status', 'id', 'cash']);
  expect(fitColumns(44, 20, payments).shown).toEqual(['created', 'status', 'cash']);
  expect(fitColumns(10, 20, payments).shown).toEqual(['created', 'status', 'cash']);
});

test('amounts of up to 60 digits come before Id and Chain; for longer ones a list scrolls sideways', () => {
  expect(fitColumns(70, 45, payments)).toMatchObject({ shown: ['created', 'status', 'cash'], least: 66.25 });
  const { shown, least } = fitColumns(76, 60, payments);
  expect(shown).toEqual(['created', 'status', 'cash']);
  expect(least).toBeGreaterThan(76);
});

test('another layout gives up its last columns first, and keeps its first two', () => {
  const type = { id: 'type', width: 6.5 };
  const columns = [created, type, { id: 'book', width: 6 }, { id: 'source', width: 9 }, id, cash];
  expect(fitColumns(70, 20, columns).shown).toEqual(columns.map((column) => column.id));
  expect(fitColumns(60, 20, columns).shown).toEqual(['created', 'type', 'book', 'source', 'cash']);
  expect(fitColumns(1, 20, columns).shown).toEqual(['created', 'type', 'cash']);
});
