import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { APPROVAL_MUTANTS } from './approvalMutants.ts';
import { FURTHER } from './furtherMutants.ts';
import { MARK_MUTANTS } from './markMutants.ts';
import { DEEP } from '#src/tests/depth.ts';
import { noVerdicts } from '#src/tests/fault-injection/judge.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { PEOPLE_MUTANTS } from './peopleMutants.ts';
import { READING } from './readingMutants.ts';
import { RULE_MUTANTS } from './ruleMutants.ts';
import type * as simulation from '#src/tests/fault-injection/simulate.ts';

/** Seeds to try, as in `npm run simulate`. */
const MOST_SEEDS = 20_000;

/** A seed that catches each mutant. Changes to the simulated code change these; NOTE_SEEDS=1 writes the new ones. */
const CAUGHT_AT = join(import.meta.dirname, 'caughtAt.json');
const caughtAt: Record<string, number> = JSON.parse(readFileSync(CAUGHT_AT, 'utf8'));

let product: typeof simulation | undefined;

/** Loads the simulation anew, with the mutant's modules. */
async function load(modules: Mutant['modules'] = {}): Promise<typeof simulation> {
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

/** The noted seed, or the first that catches the mutant if that one no longer does. */
async function catchingSeed(
  { name, breaks, mutation = {} }: Mutant,
  { simulate, hasRunOfPeople }: typeof simulation,
  isAboutPeople: boolean,
): Promise<number> {
  const isCaught = async (seed: number) => (await simulate(seed, { mutation })).verdicts[breaks] > 0;
  const noted = caughtAt[name];
  if (noted !== undefined && (await isCaught(noted))) return noted;
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    if ((isAboutPeople && !hasRunOfPeople(seed)) || !(await isCaught(seed))) continue;
    caughtAt[name] = seed;
    if (process.env['NOTE_SEEDS'] !== undefined) writeFileSync(CAUGHT_AT, `${JSON.stringify(caughtAt, null, 2)}\n`);
    return seed;
  }
  throw new Error(`None of ${MOST_SEEDS} seeds catches it.`);
}

/** Expects that the mutant breaks its promise, and that the unchanged product keeps all promises with the same seed. */
async function expectToBeCaught(mutant: Mutant, isAboutPeople = false): Promise<void> {
  product ??= await load();
  const mutated = mutant.modules === undefined ? product : await load(mutant.modules);
  const seed = await catchingSeed(mutant, mutated, isAboutPeople);
  const { verdicts } = await product.simulate(seed);
  expect(verdicts).toEqual(noVerdicts());
}

describe('general mistakes are caught', () => {
  test.each(MUTANTS)('$name', (mutant) => expectToBeCaught(mutant));
});

// `npm test` shows that the simulator sees faults; the long run shows it for every rule.
describe.runIf(DEEP)('rules', () => {
  describe('removed journal rules are caught', () => {
    test.each(FURTHER)('$name', (mutant) => expectToBeCaught(mutant));
  });

  describe('removed rules about a journal that was set back are caught', () => {
    test.each(MARK_MUTANTS)('$name', (mutant) => expectToBeCaught(mutant));
  });

  describe('changed rows of the table of responses are caught', () => {
    test.each(READING)('$name', (mutant) => expectToBeCaught(mutant));
  });

  describe('other removed rules of the journal are caught', () => {
    test.each(RULE_MUTANTS)('$name', (mutant) => expectToBeCaught(mutant));
  });

  describe('removed rules of sign-in and permissions are caught', () => {
    test.each(PEOPLE_MUTANTS)('$name', (mutant) => expectToBeCaught(mutant, true));
  });

  describe('removed rules of approvals are caught', () => {
    test.each(APPROVAL_MUTANTS)('$name', (mutant) => expectToBeCaught(mutant, true));
  });
});
