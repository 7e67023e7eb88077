import { expect, test } from 'vitest';
import { FAULTS } from './counts.ts';
import type { Outcome } from './simulate.ts';
import { addOutcome, addTally, isBroken, lineOf, noTally } from './tally.ts';

const KEPT = { doubles: 0, falseSent: 0, falseNotSent: 0, unresolved: 0, unrecorded: 0, late: 0 };
const outcome = (part: Partial<Outcome>): Outcome => ({
  intents: 2,
  verdicts: KEPT,
  counts: {},
  lostStorage: false,
  ends: [],
  ...part,
});

test('the line says seeds, intents, each promise and each fault', () => {
  const tally = noTally();
  addOutcome(tally, 1, outcome({ counts: { answersLost: 3 } }));
  expect(isBroken(tally)).toBe(false);
  const line: Record<string, unknown> = JSON.parse(lineOf(tally));
  expect(line).toMatchObject({ seeds: 1, intents: 2, ...KEPT, answersLost: 3, requestsLost: 0 });
  expect(Object.keys(line)).toEqual(expect.arrayContaining([...FAULTS]));
});

test.each(['doubles', 'falseSent', 'falseNotSent', 'unresolved', 'unrecorded', 'late'] as const)(
  'one of %s is a failure, and names its seed',
  (promise) => {
    const tally = noTally();
    const part = noTally();
    addOutcome(part, 7, outcome({ verdicts: { ...KEPT, [promise]: 1 } }));
    addTally(tally, part);
    expect(isBroken(tally)).toBe(true);
    expect(JSON.parse(lineOf(tally))).toMatchObject({ seeds: 1, [promise]: 1, failing: [7] });
  },
);

test('a seed that lost its records is counted apart', () => {
  const tally = noTally();
  addOutcome(tally, 3, outcome({ lostStorage: true, verdicts: { ...KEPT, doubles: 2 } }));
  expect(isBroken(tally)).toBe(false);
  expect(JSON.parse(lineOf(tally))).toMatchObject({ seeds: 1, doubles: 0, lostStorage: { seeds: 1, doubles: 2 } });
});
