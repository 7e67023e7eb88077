import { expect, test } from 'vitest';
import { FAULTS, noCounts } from './counts.ts';
import { noSplitCopies, noVerdicts } from './judge.ts';
import type { RunOutcome } from './simulate.ts';
import { addOutcome, addTally, isBroken, tallyLine, mergedFrom, noTally, seldom } from './tally.ts';

const KEPT = noVerdicts();
const outcome = (part: Partial<RunOutcome>): RunOutcome => ({
  intents: 2,
  verdicts: KEPT,
  counts: {},
  lostStorage: false,
  splitCopies: noSplitCopies(),
  ends: [],
  ...part,
});

test('the line has seeds, intents, each promise and each fault', () => {
  const tally = noTally();
  addOutcome(tally, 1, outcome({ counts: { answersLost: 3 } }));
  expect(isBroken(tally)).toBe(false);
  const line: Record<string, unknown> = JSON.parse(tallyLine(tally));
  expect(line).toMatchObject({ seeds: 1, intents: 2, ...KEPT, answersLost: 3, requestsLost: 0 });
  expect(Object.keys(line)).toEqual(expect.arrayContaining([...FAULTS]));
});

test.each([
  'doubles',
  'falseSent',
  'falseNotSent',
  'unresolved',
  'unrecorded',
  'late',
  'unasked',
  'overlaps',
  'astray',
  'misread',
  'unsigned',
  'selfApproved',
  'afterNo',
  'overLimit',
  'barredRecipient',
  'recipientTooEarly',
  'tooEarly',
  'lockedOut',
  'leaks',
  'crashes',
] as const)('a single violation of %s is a failure and names its seed', (promise) => {
  const tally = noTally();
  const part = noTally();
  addOutcome(part, 7, outcome({ verdicts: { ...KEPT, [promise]: 1 } }));
  addTally(tally, part);
  expect(isBroken(tally)).toBe(true);
  expect(JSON.parse(tallyLine(tally))).toMatchObject({ seeds: 1, [promise]: 1, failing: [7] });
});

test('seeds in which browsers lost their storage count like all others and are also listed separately', () => {
  const tally = noTally();
  addOutcome(tally, 3, outcome({ lostStorage: true, verdicts: { ...KEPT, doubles: 2 } }));
  expect(isBroken(tally)).toBe(true);
  expect(JSON.parse(tallyLine(tally))).toMatchObject({ seeds: 1, doubles: 2, lostStorage: { seeds: 1, doubles: 2 } });
});

test('double payments from an edge that splits copies break no promise and are listed separately', () => {
  const tally = noTally();
  addOutcome(tally, 1, outcome({ splitCopies: { doubles: 1, falseNotSent: 2 } }));
  addOutcome(tally, 2, outcome({}));
  expect(isBroken(tally)).toBe(false);
  expect(JSON.parse(tallyLine(tally))).toMatchObject({
    doubles: 0,
    splitCopies: { seeds: 1, doubles: 1, falseNotSent: 2 },
  });
});

/** The output of a run of these seeds. */
function printed(from: number, to: number, part: Partial<RunOutcome> = {}): string {
  const tally = noTally();
  for (let seed = from; seed <= to; seed += 1) addOutcome(tally, seed, outcome(part));
  return `${to - from + 1} seeds on the model\n${tallyLine(tally)}\n`;
}

test('merged pieces equal one run of all seeds', () => {
  const part = { counts: { answersLost: 3 }, verdicts: { ...KEPT, late: 1 }, lostStorage: true };
  const pieces = [printed(4, 6, part), printed(1, 3, part)];
  expect(tallyLine(mergedFrom(pieces))).toBe(printed(1, 6, part).split('\n')[1]);
});

test('a merged line can be merged again', () => {
  const merged = tallyLine(mergedFrom([printed(1, 3), printed(7, 9)]));
  expect(mergedFrom([merged, printed(4, 6)])).toMatchObject({ ranges: [[1, 9]], seeds: 9 });
});

test('a seed in two pieces is refused', () => {
  expect(() => mergedFrom([printed(1, 3), printed(3, 5)])).toThrow('Seed 3 is in two pieces.');
});

test('a piece of another version, and output without a piece, are refused', () => {
  expect(() => mergedFrom([printed(1, 2).replace('"answersLost"', '"answersGone"')])).toThrow('answersLost');
  expect(() => mergedFrom(['Killed'])).toThrow('no line of JSON');
});

test('20,000 seeds must contain each fault a hundred times, 100,000 those of people too; fewer seeds need not', () => {
  const faults = { ...noCounts(), answersLost: 99, peopleBlocked: 99 };
  for (const fault of FAULTS) faults[fault] ||= 100;
  expect(seldom({ seeds: 19_999, faults })).toEqual([]);
  expect(seldom({ seeds: 20_000, faults })).toEqual(['answersLost']);
  expect(seldom({ seeds: 99_999, faults })).toEqual(['answersLost']);
  expect(seldom({ seeds: 100_000, faults })).toEqual(['answersLost', 'peopleBlocked']);
});
