import { expect, test } from 'vitest';
import { FAULTS } from './counts.ts';
import { expectSeedsToHold } from './runSeeds.ts';

test('10,000 seeds on the model, and every fault in them', async () => {
  const { faults } = await expectSeedsToHold(1, 10000);
  expect(FAULTS.filter((fault) => faults[fault] === 0)).toEqual([]);
});
