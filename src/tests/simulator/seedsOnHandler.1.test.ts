import { test } from 'vitest';
import { expectSeedsToHoldOnHandler } from './runSeeds.ts';

test('100 seeds on the real handler, with the journal in SQL', () => expectSeedsToHoldOnHandler(1, 100));
