import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Clocks } from '#src/shared/operations/record.ts';
import { extrapolateClocks, hasPassed, isInWindow } from './clocks.ts';
import { START } from './testAnswers.ts';

const CLOCKS = ['service', 'server', 'database'] as const;
type Name = (typeof CLOCKS)[number];
const HOUR = 3_600;

/** This many seconds after the start by every clock, except those in `more`. */
function later(seconds: number, more: Partial<Record<Name, number>> = {}): Clocks {
  const secondsOf = (name: Name): number => more[name] ?? seconds;
  return {
    service: START.service + secondsOf('service'),
    server: START.server + secondsOf('server') * 1_000,
    database: START.database + secondsOf('database') * 1_000,
  };
}

describe.each(CLOCKS)('by the %s’s clock', (name) => {
  it.each([
    [-60, true],
    [-61, false],
    [23 * HOUR - 1, true],
    [23 * HOUR, false],
    [1_000_000 * HOUR, false],
  ])('%i s after the first send: %s, whatever the others say', (seconds, isOpen) => {
    expect(isInWindow(START, later(HOUR, { [name]: seconds }))).toBe(isOpen);
  });

  it('an automatic retry has three minutes more', () => {
    expect(isInWindow(START, later(HOUR, { [name]: 23 * HOUR + 179 }), true)).toBe(true);
    expect(isInWindow(START, later(HOUR, { [name]: 23 * HOUR + 180 }), true)).toBe(false);
    expect(isInWindow(START, later(HOUR, { [name]: -61 }), true)).toBe(false);
  });

  it('a day has passed only when this clock agrees', () => {
    expect(hasPassed(START, later(25 * HOUR, { [name]: 24 * HOUR }), 24 * HOUR)).toBe(true);
    expect(hasPassed(START, later(25 * HOUR, { [name]: 24 * HOUR - 1 }), 24 * HOUR)).toBe(false);
    expect(hasPassed(START, later(25 * HOUR, { [name]: -30 * HOUR }), 24 * HOUR)).toBe(false);
  });
});

it('one wrong clock can only make the window stricter', () => {
  const seconds = fc.integer({ min: -40 * HOUR, max: 40 * HOUR });
  fc.assert(
    fc.property(seconds, seconds, fc.constantFrom(...CLOCKS), (truth, wrong, name) => {
      const isRight = isInWindow(START, later(truth));
      const isMoved = isInWindow(START, later(truth, { [name]: wrong }));
      const hasRight = hasPassed(START, later(truth), 26 * HOUR);
      const hasMoved = hasPassed(START, later(truth, { [name]: wrong }), 26 * HOUR);
      return (isRight || !isMoved) && (hasRight || !hasMoved);
    }),
  );
});

it('without a Date of the service its clock is advanced by this server’s, never backwards', () => {
  const at = (seconds: number) => ({ server: START.server + seconds * 1_000, database: START.database + 10_000 });
  expect(extrapolateClocks(START, at(10))).toEqual(later(10));
  expect(extrapolateClocks(START, at(-50))).toEqual({ service: START.service, ...at(-50) });
});
