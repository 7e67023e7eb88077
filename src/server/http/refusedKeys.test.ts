import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefusedKeys } from './refusedKeys.ts';

let log: string[] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void log.push(line));
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Refusals on their own clock, with the seconds after which each was answered. */
function refusedKeys() {
  let now = 0;
  const timers: { due: number; act: () => void }[] = [];
  const refusals = createRefusedKeys({
    mono: () => now,
    later: (act, ms) => {
      timers.push({ due: now + ms, act });
      return () => undefined;
    },
  });
  const answered: string[] = [];
  return {
    refusals,
    answered,
    refuse: async (client: string, times = 1) => {
      for (let count = 0; count < times; count += 1)
        void refusals.delay(client).then(() => answered.push(`${client} ${now / 1000}`));
      await Promise.resolve();
    },
    pass: async (ms: number) => {
      const end = now + ms;
      for (const { due, act } of timers.toSorted((a, b) => a.due - b.due)) {
        if (due > end) continue;
        now = Math.max(now, due);
        act();
        await new Promise(setImmediate);
      }
      now = end;
      timers.splice(0, timers.length, ...timers.filter(({ due }) => due > end));
    },
  };
}

test('ten refusals of one address are answered at once, then one a second', async () => {
  const { refuse, pass, answered } = refusedKeys();
  await refuse('a', 13);
  await pass(0);
  expect(answered).toEqual(Array.from({ length: 10 }, () => 'a 0'));
  await pass(60_000);
  expect(answered.slice(10)).toEqual(['a 1', 'a 2', 'a 3']);
});

test('an address never waits because of another one', async () => {
  const { refuse, pass, answered } = refusedKeys();
  await refuse('a', 20);
  await refuse('b', 10);
  await pass(0);
  expect(answered.filter((line) => line.startsWith('b'))).toHaveLength(10);
});

test('each second without a refusal allows one more immediate answer, up to ten', async () => {
  const { refuse, pass, answered } = refusedKeys();
  await refuse('a', 10);
  await pass(1_000);
  await refuse('a', 2);
  await pass(5_000);
  expect(answered.slice(10)).toEqual(['a 1', 'a 2']);
  await pass(60_000);
  await refuse('a', 10);
  await pass(0);
  expect(answered.slice(12)).toHaveLength(10);
});

test('no refusal waits longer than the sign-in page does, and every refusal is answered', async () => {
  const { refuse, pass, answered } = refusedKeys();
  await refuse('a', 500);
  await pass(20_000);
  expect(answered).toHaveLength(500);
  await pass(0);
  await refuse('a');
  await pass(60_000);
  await refuse('a', 10);
  await pass(0);
  expect(answered).toHaveLength(511);
});

test('the log names an address once while its refusals go on', async () => {
  const { refuse, pass } = refusedKeys();
  await refuse('203.0.113.7', 30);
  await pass(15_000);
  await refuse('203.0.113.7', 30);
  expect(log).toEqual([expect.stringContaining('refused API keys from 203.0.113.7 are answered late')]);
  await pass(60_000);
  await refuse('203.0.113.7', 11);
  expect(log).toHaveLength(2);
});

test('a million addresses take no more memory than ten thousand', async () => {
  const { refusals, refuse, pass } = refusedKeys();
  for (let index = 0; index < 30_000; index += 1) void refusals.delay(`client ${index}`);
  expect(refusals.size()).toBe(10_000);
  await pass(60_000);
  await refuse('a');
  expect(refusals.size()).toBe(1);
});
