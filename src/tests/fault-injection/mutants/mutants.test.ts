import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { FURTHER } from './furtherMutants.ts';
import { MARK_MUTANTS } from './markMutants.ts';
import { noVerdicts } from '#src/tests/fault-injection/judge.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { READING } from './readingMutants.ts';
import { RULES } from './ruleMutants.ts';
import type * as simulation from '#src/tests/fault-injection/simulate.ts';

type Simulate = typeof simulation.simulate;

/** Plain seeds, as `npm run simulate` takes them. */
const MOST_SEEDS = 20_000;

/** By mutant, a seed that catches it: a change of the simulated code moves them, and NOTE_SEEDS=1 writes what is found. */
const CAUGHT_AT = join(import.meta.dirname, 'caughtAt.json');
const caughtAt: Record<string, number> = JSON.parse(readFileSync(CAUGHT_AT, 'utf8'));

let product: typeof simulation | undefined;

/** The simulation with the mutant's modules in place of the product's. */
async function load({ modules = {} }: Pick<Mutant, 'modules'>): Promise<typeof simulation> {
  vi.resetModules();
  for (const [path, different] of Object.entries(modules)) {
    const make = different as (original: object) => object;
    vi.doMock(`#src/${path}`, async (importOriginal) => {
      const original = await importOriginal<object>();
      return { ...original, ...make(original) };
    });
  }
  const loaded = await import('#src/tests/fault-injection/simulate.ts');
  for (const path of Object.keys(modules)) vi.doUnmock(`#src/${path}`);
  return loaded;
}

/** The noted seed; where that one catches nothing any more, the first of all that does. */
async function catchingSeed({ name, breaks, mutation = {} }: Mutant, simulate: Simulate): Promise<number> {
  const isCaught = async (seed: number) => (await simulate(seed, { mutation })).verdicts[breaks] > 0;
  const noted = caughtAt[name];
  if (noted !== undefined && (await isCaught(noted))) return noted;
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    if (!(await isCaught(seed))) continue;
    caughtAt[name] = seed;
    if (process.env['NOTE_SEEDS'] !== undefined) writeFileSync(CAUGHT_AT, `${JSON.stringify(caughtAt, null, 2)}\n`);
    return seed;
  }
  throw new Error(`None of ${MOST_SEEDS} seeds catches it.`);
}

/** The mutant breaks its promise; the product as it is keeps all of them under the same seed. */
async function expectToBeCaught(mutant: Mutant): Promise<void> {
  const { simulate } = await load(mutant);
  const seed = await catchingSeed(mutant, simulate);
  product ??= await load({});
  const { verdicts } = await product.simulate(seed);
  expect(verdicts).toEqual(noVerdicts());
}

describe('mistakes of any design', () => {
  test.each(MUTANTS)('$name', expectToBeCaught);
});

describe('rules of this one taken out', () => {
  test.each(FURTHER)('$name', expectToBeCaught);
});

describe('rules about a journal that was set back taken out', () => {
  test.each(MARK_MUTANTS)('$name', expectToBeCaught);
});

describe('rows of the reading table turned round', () => {
  test.each(READING)('$name', expectToBeCaught);
});

describe('the other rules of operations.md taken out', () => {
  test.each(RULES)('$name', expectToBeCaught);
});
