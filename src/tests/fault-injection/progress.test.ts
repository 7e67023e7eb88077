import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watched } from './progress.ts';

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a run that makes no progress fails', async () => {
  const run = watched('Seed 1', (onStep) => {
    onStep();
    return new Promise(() => undefined);
  });
  await Promise.all([
    expect(run).rejects.toThrow('Seed 1 stands still: nothing has happened since step 1.'),
    vi.advanceTimersByTimeAsync(2 * MINUTE_MS),
  ]);
});

test('a run that never ends fails, and its next step throws', async () => {
  const thrown: unknown[] = [];
  const run = watched('Seed 1', async (onStep) => {
    while (thrown.length === 0)
      await Promise.resolve()
        .then(onStep)
        .catch((error: unknown) => thrown.push(error));
    return 'over';
  });
  await expect(run).rejects.toThrow('Seed 1 never ends');
  expect(thrown).toHaveLength(1);
});

test('a slow run that makes progress is not disturbed', async () => {
  const run = watched('Seed 1', async (onStep) => {
    for (let made = 0; made < 100; made += 1) {
      await new Promise((resolve) => setTimeout(resolve, MINUTE_MS / 2));
      onStep();
    }
    return 'over';
  });
  await vi.advanceTimersByTimeAsync(50 * MINUTE_MS);
  await expect(run).resolves.toBe('over');
  expect(vi.getTimerCount()).toBe(0);
});

test('a failing run fails with its own error', async () => {
  await expect(watched('Seed 1', () => Promise.reject(new Error('Its own.')))).rejects.toThrow('Its own.');
  expect(vi.getTimerCount()).toBe(0);
});
