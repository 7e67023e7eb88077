import { expect, test } from 'vitest';
import { FAULTS } from './counts.ts';
import { noVerdicts } from './judge.ts';
import type { Outcome } from './simulate.ts';
import { addOutcome, addTally, isBroken, lineOf, noTally } from './tally.ts';

const KEPT = noVerdicts();
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

test.each(['doubles', 'falseSent', 'falseNotSent', 'unresolved', 'unrecorded', 'late', 'unasked', 'overlaps', 'astray', 'crashes'] as const)(
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

test('seeds in which browsers lost everything count like all others, and are named beside them', () => {
  const tally = noTally();
  addOutcome(tally, 3, outcome({ lostStorage: true, verdicts: { ...KEPT, doubles: 2 } }));
  expect(isBroken(tally)).toBe(true);
  expect(JSON.parse(lineOf(tally))).toMatchObject({ seeds: 1, doubles: 2, lostStorage: { seeds: 1, doubles: 2 } });
});
