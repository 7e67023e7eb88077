import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgress } from './readMonth.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const rows = (...times: unknown[]) => times.map((at, n) => ({ id: `${n}`, asset: null, created_at: at }));

test('progress is the share of the time range that was read, with the time left at that pace', () => {
  const progress = createProgress('deposits', { from: 1_790_000_000, to: 1_790_001_000 });
  vi.advanceTimersByTime(10_000);
  const page = rows(1_790_000_100, 1_790_000_250, 'never');
  expect(progress(page)).toEqual({ list: 'deposits', rows: 3, reached: 1_790_000_250, share: 0.25, secondsLeft: 30 });
  expect(progress(rows(1_790_002_000))).toMatchObject({ rows: 4, share: 1, secondsLeft: 0 });
  expect(progress([])).toMatchObject({ share: null, secondsLeft: null });
});

test('a range without a start begins at its first row', () => {
  const progress = createProgress('ledger', { from: null, to: 1_790_001_000 });
  expect(progress(rows(1_790_000_000, 1_790_000_500))).toMatchObject({ share: 0.5, secondsLeft: null });
});
