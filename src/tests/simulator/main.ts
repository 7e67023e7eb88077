import { appendFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { FAULTS } from './counts.ts';
import { openReal } from './real.ts';
import { simulate } from './simulate.ts';
import { type Tally, addOutcome, addTally, isBroken, figuresOf, lineOf, noTally } from './tally.ts';

// npm run simulate -- --seeds N [--service model|real] [--seed S]

interface Share {
  from: number;
  to: number;
  isReal: boolean;
}

if (isMainThread) await main();
else parentPort?.postMessage(await work(workerData as Share));

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1000' },
      seed: { type: 'string' },
      service: { type: 'string', default: 'model' },
      workers: { type: 'string', default: String(availableParallelism()) },
    },
  });
  if (values.service !== 'model' && values.service !== 'real') throw new Error('--service is model or real.');
  const isReal = values.service === 'real';
  const tally =
    values.seed === undefined
      ? await many(wholeOf(values.seeds), wholeOf(values.workers), isReal)
      : await one(wholeOf(values.seed), isReal);
  console.log(lineOf(tally));
  const { FIGURES } = process.env;
  if (FIGURES !== undefined) appendFileSync(FIGURES, `${figuresOf(tally, values.service)}\n`);
  const missed = missing(tally, isReal);
  if (missed.length > 0) console.error(`Never happened: ${missed.join(', ')}`);
  process.exitCode = isBroken(tally) || missed.length > 0 ? 1 : 0;
}

function wholeOf(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${text} is not a whole number from 1 on.`);
  return value;
}

/** One seed again, with its story. */
async function one(seed: number, isReal: boolean): Promise<Tally> {
  const real = isReal ? await openReal() : undefined;
  const outcome = await simulate(seed, { real, tell: (line) => console.log(line) });
  await real?.stop();
  const tally = noTally();
  addOutcome(tally, seed, outcome);
  for (const end of outcome.ends) console.log(`   ${end}`);
  return tally;
}

/** In so many seeds on the model each fault happens. */
const ENOUGH_SEEDS = 10_000;

/** Faults that never happened, though they should have. */
function missing(tally: Tally, isReal: boolean): string[] {
  return isReal || tally.seeds < ENOUGH_SEEDS ? [] : FAULTS.filter((fault) => tally.faults[fault] === 0);
}

/** Seeds 1 to `seeds`, shared by so many threads. */
async function many(seeds: number, workers: number, isReal: boolean): Promise<Tally> {
  const started = performance.now();
  const threads = Math.min(workers, seeds);
  const upTo = (index: number): number => Math.floor((seeds * index) / threads);
  const shares = Array.from({ length: threads }, (_, index) => ({
    from: upTo(index) + 1,
    to: upTo(index + 1),
    isReal,
  }));
  const tally = noTally();
  for (const part of await Promise.all(shares.map(inThread))) addTally(tally, part);
  const form = isReal ? "the sandbox's handler" : 'the model';
  console.log(`${seeds} seeds on ${form} in ${Math.round((performance.now() - started) / 1_000)} s`);
  for (const [fault, count] of Object.entries(tally.faults)) console.log(`  ${fault.padEnd(24)}${count}`);
  return tally;
}

function inThread(share: Share): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: share,
      // Much is made and soon let go.
      resourceLimits: { maxYoungGenerationSizeMb: 192 },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function work({ from, to, isReal }: Share): Promise<Tally> {
  const real = isReal ? await openReal() : undefined;
  const tally = noTally();
  for (let seed = from; seed <= to; seed += 1) addOutcome(tally, seed, await simulate(seed, { real }));
  await real?.stop();
  return tally;
}
