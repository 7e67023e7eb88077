import { expect, test } from 'vitest';
import { visitAt } from './lastVisit.ts';

const HOUR = 3600;

test('a visit starts after half an hour away, and has the end of the previous one', () => {
  const first = visitAt(undefined, 1_000);
  expect(first).toEqual({ since: null, at: 1_000 });
  const stayed = visitAt(first, 2_000);
  expect(stayed).toEqual({ since: null, at: 2_000 });
  const back = visitAt(stayed, 2_000 + HOUR);
  expect(back).toEqual({ since: 2_000, at: 2_000 + HOUR });
  expect(visitAt(back, 2_060 + HOUR)).toEqual({ since: 2_000, at: 2_060 + HOUR });
});

test('setting the clock back does not end a visit', () => {
  expect(visitAt({ since: 5, at: 10_000 }, 100)).toEqual({ since: 5, at: 10_000 });
});
