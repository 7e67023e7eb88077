import { expect } from 'vitest';
import { noVerdicts } from './judge.ts';
import { openReal } from './real.ts';
import { simulate } from './simulate.ts';
import { type Tally, addOutcome, noTally } from './tally.ts';

/** Seeds on the model: no promise may break in any. */
export async function expectSeedsToHold(from: number, to: number): Promise<Tally> {
  const tally = noTally();
  for (let seed = from; seed <= to; seed += 1) addOutcome(tally, seed, await simulate(seed));
  expectAllKept(tally, to - from + 1);
  return tally;
}

/** The same on the sandbox's own handler, with journals in a real database. */
export async function expectSeedsToHoldOnHandler(from: number, to: number): Promise<void> {
  const tally = noTally();
  const real = await openReal();
  try {
    for (let seed = from; seed <= to; seed += 1) addOutcome(tally, seed, await simulate(seed, { real }));
  } finally {
    await real.stop();
  }
  expectAllKept(tally, to - from + 1);
}

function expectAllKept(tally: Tally, seeds: number): void {
  const kept = { seeds, ...noVerdicts() };
  expect(tally, 'npm run simulate -- --seed S tells the story of a failing one').toMatchObject(kept);
}
