import { expect, test } from 'vitest';
import { rowElements, rowsDrawn } from './useRowWindow.ts';

test('the rows around those in sight are drawn, and the one that has the focus wherever it is', () => {
  expect(rowsDrawn(3, 6, null)).toEqual([3, 4, 5, 6]);
  expect(rowsDrawn(3, 6, 4)).toEqual([3, 4, 5, 6]);
  expect(rowsDrawn(3, 6, 0)).toEqual([0, 3, 4, 5, 6]);
  expect(rowsDrawn(3, 6, 90)).toEqual([3, 4, 5, 6, 90]);
  expect(rowsDrawn(0, -1, null)).toEqual([]);
});

test('a fling fills the elements that are there; a row in sight, or with the focus, keeps its own', () => {
  const elementsOf = rowElements();
  const steps = ['abc', 'xyzu', 'zuv', 'zmno', 'zmnp', ''].map((ids) => [...elementsOf(ids.split('')).values()]);
  expect(steps).toEqual([[0, 1, 2], [0, 1, 2, 3], [2, 3, 4], [2, 3, 4, 5], [2, 3, 4, 6], []]);
});
