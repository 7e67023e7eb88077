import { expect, test } from 'vitest';
import { createRepeats } from './repeats.ts';

test('knows an attempt again for minutes, unless it was refused at first', () => {
  let now = 0;
  const repeats = createRepeats(() => now);
  expect(repeats.arrived('a')).toBe(false);
  expect(repeats.arrived('a')).toBe(true);
  repeats.forget('a');
  expect(repeats.arrived('a')).toBe(false);
  now = 11 * 60_000;
  repeats.arrived('b');
  expect(repeats.arrived('a')).toBe(false);
});

test('holds a bounded number of names, of bounded length', () => {
  const repeats = createRepeats(() => 0);
  for (let each = 0; each < 2_000; each += 1) repeats.arrived(`a${each}`);
  expect(repeats.arrived('a1999')).toBe(true);
  expect(repeats.arrived('a0')).toBe(false);
  repeats.arrived('x'.repeat(65));
  expect(repeats.arrived('x'.repeat(65))).toBe(false);
});
