import { describe, expect, test, vi } from 'vitest';
import { FURTHER } from './furtherMutants.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import type * as simulation from './simulate.ts';

const MOST_SEEDS = 10_000;

/** The simulation with the mutant's modules in place of the engine's. */
async function load({ modules = {} }: Mutant): Promise<typeof simulation> {
  vi.resetModules();
  for (const [path, different] of Object.entries(modules)) {
    const make = different as (original: object) => object;
    vi.doMock(`#src/operations/${path}`, async (importOriginal) => {
      const original = await importOriginal<object>();
      return { ...original, ...make(original) };
    });
  }
  const loaded = await import('./simulate.ts');
  for (const path of Object.keys(modules)) vi.doUnmock(`#src/operations/${path}`);
  return loaded;
}

/** The mutant breaks its promise within so many seeds; the engine as it is keeps all of them there. */
async function expectToBeCaught(mutant: Mutant): Promise<void> {
  const { simulate } = await load(mutant);
  let seed = 1;
  for (; seed <= MOST_SEEDS; seed += 1) {
    const { verdicts, lostStorage } = await simulate(seed, { mutation: mutant.mutation ?? {} });
    if (!lostStorage && verdicts[mutant.breaks] > 0) break;
  }
  expect(seed, 'the seed that catches it').toBeLessThanOrEqual(MOST_SEEDS);

  const engine = await load({ name: 'the engine as it is', breaks: 'doubles' });
  const { verdicts } = await engine.simulate(seed);
  expect(verdicts).toEqual({ doubles: 0, falseSent: 0, falseNotSent: 0, unresolved: 0, unrecorded: 0, late: 0 });
}

describe('mistakes that operations.md names', () => {
  test.each(MUTANTS)('$name', expectToBeCaught);
});

describe('further mistakes', () => {
  test.each(FURTHER)('$name', expectToBeCaught);
});
