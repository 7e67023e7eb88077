import { appendFileSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { closePeopleTables } from './people/tables.ts';
import { openReal } from './real.ts';
import { makesBatches, simulate } from './simulate.ts';
import {
  type RunTally,
  addOutcome,
  addTally,
  figuresOf,
  isBroken,
  tallyLine,
  mergedFrom,
  noTally,
  seldom,
} from './tally.ts';

// npm run simulate -- --seeds N [--from A] [--batches] [--service model|real] | --seed S | --merge FILE …

interface Share {
  from: number;
  to: number;
  isReal: boolean;
  /** Only the seeds in which people make batches. */
  batchesOnly: boolean;
}

if (isMainThread) await main();
else parentPort?.postMessage(await work(workerData as Share));

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      merge: { type: 'boolean', default: false },
      batches: { type: 'boolean', default: false },
      service: { type: 'string', default: 'model' },
      workers: { type: 'string', default: String(availableParallelism()) },
    },
  });
  if (values.service !== 'model' && values.service !== 'real') throw new Error('--service is model or real.');
  const isReal = values.service === 'real';
  let tally: RunTally;
  if (values.merge) tally = mergedFrom(positionals.map((file) => readFileSync(file, 'utf8')));
  else if (values.seed !== undefined) tally = await one(wholeOf(values.seed), isReal);
  else {
    const from = wholeOf(values.from);
    const to = from + wholeOf(values.seeds) - 1;
    tally = await many({ from, to, isReal, batchesOnly: values.batches }, wholeOf(values.workers));
  }
  console.log(tallyLine(tally));
  const { FIGURES } = process.env;
  if (FIGURES !== undefined) appendFileSync(FIGURES, `${figuresOf(tally, values.service)}\n`);
  const few = isReal ? [] : seldom(tally);
  for (const fault of few) console.error(`Too seldom: ${fault}, ${tally.faults[fault]} times`);
  process.exitCode = isBroken(tally) || few.length > 0 ? 1 : 0;
}

function wholeOf(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${text} is not a whole number from 1 on.`);
  return value;
}

/** Runs one seed and prints every step. */
async function one(seed: number, isReal: boolean): Promise<RunTally> {
  const real = isReal ? await openReal() : undefined;
  const outcome = await simulate(seed, { real, tell: (line) => console.log(line) });
  await real?.stop();
  await closePeopleTables();
  const tally = noTally();
  addOutcome(tally, seed, outcome);
  for (const end of outcome.ends) console.log(`   ${end}`);
  return tally;
}

/** Runs the seeds in this many threads. */
async function many({ from, to, ...options }: Share, workers: number): Promise<RunTally> {
  const started = performance.now();
  const seeds = to - from + 1;
  const threads = Math.min(workers, seeds);
  const startOf = (index: number): number => from + Math.floor((seeds * index) / threads);
  const shares = Array.from({ length: threads }, (_, index) => ({
    from: startOf(index),
    to: startOf(index + 1) - 1,
    ...options,
  }));
  const tally = noTally();
  for (const part of await Promise.all(shares.map(inThread))) addTally(tally, part);
  const form = options.isReal ? "the sandbox's handler" : 'the model';
  console.log(`${tally.seeds} seeds on ${form} in ${Math.round((performance.now() - started) / 1_000)} s`);
  for (const [fault, count] of Object.entries(tally.faults)) console.log(`  ${fault.padEnd(24)}${count}`);
  return tally;
}

function inThread(share: Share): Promise<RunTally> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: share,
      // A large young generation, because most objects are short-lived.
      resourceLimits: { maxYoungGenerationSizeMb: 192 },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function work({ from, to, isReal, batchesOnly }: Share): Promise<RunTally> {
  const real = isReal ? await openReal() : undefined;
  const tally = noTally();
  for (let seed = from; seed <= to; seed += 1) {
    if (batchesOnly && !makesBatches(seed)) continue;
    addOutcome(tally, seed, await simulate(seed, { real }));
  }
  await real?.stop();
  await closePeopleTables();
  return tally;
}
