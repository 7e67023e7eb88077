import { describe, expect, test, vi } from 'vitest';
import { FURTHER } from './furtherMutants.ts';
import { noVerdicts } from './judge.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import type * as simulation from './simulate.ts';

const MOST_SEEDS = 6_000;

/** The simulation with the mutant's modules in place of the product's. */
async function load({ modules = {} }: Mutant): Promise<typeof simulation> {
  vi.resetModules();
  for (const [path, different] of Object.entries(modules)) {
    const make = different as (original: object) => object;
    vi.doMock(`#src/${path}`, async (importOriginal) => {
      const original = await importOriginal<object>();
      return { ...original, ...make(original) };
    });
  }
  const loaded = await import('./simulate.ts');
  for (const path of Object.keys(modules)) vi.doUnmock(`#src/${path}`);
  return loaded;
}

/** The mutant breaks its promise within so many seeds; the product as it is keeps all of them there. */
async function expectToBeCaught(mutant: Mutant): Promise<void> {
  const { simulate } = await load(mutant);
  let seed = 1;
  for (; seed <= MOST_SEEDS; seed += 1) {
    const { verdicts } = await simulate(seed, { mutation: mutant.mutation ?? {} });
    if (verdicts[mutant.breaks] > 0) break;
  }
  expect(seed, 'the seed that catches it').toBeLessThanOrEqual(MOST_SEEDS);

  const product = await load({ name: 'the product as it is', breaks: 'doubles' });
  const { shape } = mutant.mutation ?? {};
  const { verdicts } = await product.simulate(seed, { mutation: shape ? { shape } : {} });
  expect(verdicts).toEqual(noVerdicts());
}

describe('mistakes of any design', () => {
  test.each(MUTANTS)('$name', expectToBeCaught);
});

describe('rules of this one taken out', () => {
  test.each(FURTHER)('$name', expectToBeCaught);
});
