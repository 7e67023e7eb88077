import { test } from 'vitest';
import { expectToBeCaught } from './expectToBeCaught.ts';
import { MUTANTS } from './mutants.ts';

// Each rule of the product is taken out in rules.deep.test.ts.
test.each(MUTANTS)('$name is caught', (mutant) => expectToBeCaught(mutant));
