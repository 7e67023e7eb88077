import { test } from 'vitest';
import { expectSameEnds } from './runSeeds.ts';

test('500 seeds on the real handler end as on the model', () => expectSameEnds(501, 1000));
