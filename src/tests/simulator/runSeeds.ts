import { expect } from 'vitest';
import { openRealService } from './realService.ts';
import { simulate } from './simulate.ts';
import { type Tally, addOutcome, noTally } from './tally.ts';

/** Seeds on the model: no promise may break in any. */
export async function expectSeedsToHold(from: number, to: number): Promise<Tally> {
  const tally = noTally();
  for (let seed = from; seed <= to; seed += 1) addOutcome(tally, seed, await simulate(seed));
  expect(tally, 'npm run simulate -- --seed S tells the story of a failing one').toMatchObject({
    seeds: to - from + 1,
    doubles: 0,
    falseSent: 0,
    falseNotSent: 0,
    unresolved: 0,
    unrecorded: 0,
    late: 0,
  });
  return tally;
}

/** Seeds on the sandbox's own handler: they end as on the model, operation by operation and in the service's books. */
export async function expectSameEnds(from: number, to: number): Promise<void> {
  const service = await openRealService();
  try {
    for (let seed = from; seed <= to; seed += 1) {
      const real = await simulate(seed, { service });
      const { ends, verdicts } = await simulate(seed);
      expect({ seed, ends: real.ends, verdicts: real.verdicts }).toEqual({ seed, ends, verdicts });
    }
  } finally {
    await service.stop();
  }
}
