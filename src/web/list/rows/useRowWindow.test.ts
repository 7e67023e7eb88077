import { expect, test } from 'vitest';
import { rowElements, rowsDrawn } from './useRowWindow.ts';

test('the rows in and around the window are drawn, and the focused row wherever it is', () => {
  expect(rowsDrawn(3, 6, null)).toEqual([3, 4, 5, 6]);
  expect(rowsDrawn(3, 6, 4)).toEqual([3, 4, 5, 6]);
  expect(rowsDrawn(3, 6, 0)).toEqual([0, 3, 4, 5, 6]);
  expect(rowsDrawn(3, 6, 90)).toEqual([3, 4, 5, 6, 90]);
  expect(rowsDrawn(0, -1, null)).toEqual([]);
});

test('a fling reuses the existing elements; a row that stays in sight or has the focus keeps its element', () => {
  const elementsOf = rowElements();
  const steps = ['abc', 'xyzu', 'zuv', 'zmno', 'zmnp', ''].map((ids) => [...elementsOf(ids.split('')).values()]);
  expect(steps).toEqual([[0, 1, 2], [0, 1, 2, 3], [2, 3, 4], [2, 3, 4, 5], [2, 3, 4, 6], []]);
});
