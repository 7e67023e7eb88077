import { expect, test } from 'vitest';
import { FAULTS, type Fault } from './counts.ts';
import { noVerdicts } from './judge.ts';
import { openReal } from './real.ts';
import { simulate } from './simulate.ts';
import { type Tally, addOutcome, noTally } from './tally.ts';

const ON_MODEL = 600;
const ON_HANDLER = 15;

/** Seldom enough to be missing here; the long run asks for every one of them. */
const SELDOM = new Set<Fault>([
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
  'readsPartial',
  'secondIds',
  'serversCutOff',
  'stopsWhileAway',
  'writesOfOldVersion',
  'writtenToClosedSockets',
]);

async function expectToHold(seeds: number, around: Parameters<typeof simulate>[1]): Promise<Tally> {
  const tally = noTally();
  for (let seed = 1; seed <= seeds; seed += 1) addOutcome(tally, seed, await simulate(seed, around));
  const kept = { seeds, ...noVerdicts() };
  expect(tally, 'npm run simulate -- --seed S tells the story of a failing one').toMatchObject(kept);
  return tally;
}

test('on the model no seed breaks a promise, and every usual fault is in them', async () => {
  const { faults } = await expectToHold(ON_MODEL, {});
  expect(FAULTS.filter((fault) => faults[fault] === 0 && !SELDOM.has(fault))).toEqual([]);
});

test('on the real handler, with the journal in SQL, neither', async () => {
  const real = await openReal();
  try {
    await expectToHold(ON_HANDLER, { real });
  } finally {
    await real.stop();
  }
});
