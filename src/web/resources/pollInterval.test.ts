import { expect, test } from 'vitest';
import { pauseAfter } from './pollInterval.ts';

test('reads every 3 s at first, then less often, and every 60 s in the end', () => {
  const pauses = [0, 19, 20, 60, 180, 599, 600, 100_000].map((seconds) => pauseAfter(seconds * 1000));
  expect(pauses).toEqual([3_000, 3_000, 5_000, 10_000, 30_000, 30_000, 60_000, 60_000]);
});

test('after the device clock is set back, reads are at the fastest pace', () => {
  expect(pauseAfter(-5_000)).toBe(3_000);
});
