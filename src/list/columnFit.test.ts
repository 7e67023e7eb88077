import { expect, test } from 'vitest';
import { fitColumns } from './columnFit.ts';

test('a list gives up Chain first, then Id, and never time, status or amount', () => {
  expect(fitColumns(70, 20).shown).toEqual(['created', 'status', 'id', 'chain', 'cash']);
  expect(fitColumns(51, 20).shown).toEqual(['created', 'status', 'id', 'cash']);
  expect(fitColumns(44, 20).shown).toEqual(['created', 'status', 'cash']);
  expect(fitColumns(10, 20).shown).toEqual(['created', 'status', 'cash']);
});

test('amounts of any length cost a wide list no column, it scrolls sideways', () => {
  const { shown, least } = fitColumns(70, 60);
  expect(shown).toHaveLength(5);
  expect(least).toBeGreaterThan(70);
});

test('another layout gives up its last columns first, and keeps its first two', () => {
  const columns = ['created', 'type', 'book', 'source', 'id', 'cash'] as const;
  expect(fitColumns(70, 20, columns).shown).toEqual(columns);
  expect(fitColumns(60, 20, columns).shown).toEqual(['created', 'type', 'book', 'source', 'cash']);
  expect(fitColumns(1, 20, columns).shown).toEqual(['created', 'type', 'cash']);
});
