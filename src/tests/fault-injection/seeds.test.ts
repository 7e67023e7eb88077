import { expect, test } from 'vitest';
import { FAULTS, PEOPLE_FAULTS, type SimulatedFault } from './counts.ts';
import { noVerdicts } from './judge.ts';
import { openReal } from './real.ts';
import { simulate } from './simulate.ts';
import { type RunTally, addOutcome, noTally } from './tally.ts';

const ON_MODEL = 150;
const ON_HANDLER = 4;

/** Rare faults that may be missing in this short run; the long run requires all of them. */
const SELDOM = new Set<SimulatedFault>([
  ...PEOPLE_FAULTS,
  'answersAltered',
  'answersTakenUp',
  'answersUndated',
  'answersUnfinished',
  'clocksSetBackAtEnd',
  'copiesRefused',
  'crashesAfterWrite',
  'crashesBeforeWrite',
  'errorsInSuccess',
  'failedStored',
  'failedStoredExecuted',
  'forbidden',
  'idsRepeated',
  'idsStrange',
  'journalOnlySessions',
  'journalsSetBack',
  'keyBatchesSetBack',
  'keyLinesPaidElsewhere',
  'keyRunsFrozen',
  'keyRunsKilled',
  'readsPartial',
  'secondIds',
  'serversCutOff',
  'setBacksFoundByDisk',
  'stopsWhileAway',
  'timedOut',
  'writesOfOldVersion',
  'writtenToClosedSockets',
]);

async function expectToHold(seeds: number, around: Parameters<typeof simulate>[1]): Promise<RunTally> {
  const tally = noTally();
  for (let seed = 1; seed <= seeds; seed += 1) addOutcome(tally, seed, await simulate(seed, around));
  const kept = { seeds, ...noVerdicts() };
  expect(tally, 'npm run simulate -- --seed S tells the story of a failing one').toMatchObject(kept);
  return tally;
}

test('with the model no seed breaks a promise, and every common fault occurs', async () => {
  const { faults } = await expectToHold(ON_MODEL, {});
  expect(FAULTS.filter((fault) => faults[fault] === 0 && !SELDOM.has(fault))).toEqual([]);
  expect(faults.peopleRuns).toBeGreaterThan(0);
});

test('with the real handler and the journal in SQL no seed breaks a promise', async () => {
  const real = await openReal();
  try {
    await expectToHold(ON_HANDLER, { real });
  } finally {
    await real.stop();
  }
});
