import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { noVerdicts } from '#src/tests/fault-injection/judge.ts';
import type { Mutant } from './mutant.ts';
import type * as simulation from '#src/tests/fault-injection/simulate.ts';

/** Seeds to try, as in `npm run simulate`. */
const MOST_SEEDS = 20_000;

/** A seed that catches each mutant. Changes to the simulated code change these; NOTE_SEEDS=1 writes the new ones. */
const CAUGHT_AT = join(import.meta.dirname, 'caughtAt.json');
const caughtAt = notedSeeds();

function notedSeeds(): Record<string, number> {
  return JSON.parse(readFileSync(CAUGHT_AT, 'utf8')) as Record<string, number>;
}

/** Reads the others again, which another process may have noted meanwhile. */
function note(name: string, seed: number): void {
  writeFileSync(CAUGHT_AT, `${JSON.stringify({ ...notedSeeds(), [name]: seed }, null, 2)}\n`);
}

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
  { name, breaks, mutation = {}, world, isAboutBatches }: Mutant,
  { simulate, hasRunOfPeople, makesBatches, worldsOfPeople }: typeof simulation,
  isAboutPeople: boolean,
): Promise<number> {
  const isCaught = async (seed: number) => (await simulate(seed, { mutation })).verdicts[breaks] > 0;
  const noted = caughtAt[name];
  if (noted !== undefined && (await isCaught(noted))) return noted;
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    if (isAboutPeople && !hasRunOfPeople(seed)) continue;
    if (isAboutBatches === true && !makesBatches(seed)) continue;
    if ((world !== undefined && !worldsOfPeople(seed)[world]) || !(await isCaught(seed))) continue;
    if (process.env['NOTE_SEEDS'] !== undefined) note(name, seed);
    return seed;
  }
  throw new Error(`None of ${MOST_SEEDS} seeds catches it.`);
}

/** Expects that the mutant breaks its promise, and that the unchanged product keeps all promises with the same seed. */
export async function expectToBeCaught(mutant: Mutant, isAboutPeople = false): Promise<void> {
  product ??= await load();
  const mutated = mutant.modules === undefined ? product : await load(mutant.modules);
  const seed = await catchingSeed(mutant, mutated, isAboutPeople);
  const { verdicts } = await product.simulate(seed);
  expect(verdicts).toEqual(noVerdicts());
}
