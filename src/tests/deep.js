// The long runs, one after the other, on the built servers: node src/tests/deep.js [names of runs]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const BROWSER = join(import.meta.dirname, '../../e2e/run.js');
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const SIMULATE = 'dist/simulate/main.js';

/** Each a program of Node with its arguments; it may add lines of JSON to the file that FIGURES names. */
const RUNS = {
  // With more rounds each; servers killed, frozen, replaced, without power, two on one PostgreSQL.
  vitest: [VITEST, 'run'],
  // Simulated: the model with rows in memory, and the sandbox's handler with rows in SQL.
  model: [SIMULATE, '--seeds', '1000000'],
  handler: [SIMULATE, '--seeds', '10000', '--service', 'real'],
  // In the browser: every state, both looks of each, 100,000 rows.
  browser: [BROWSER],
  // The main job, where there is a Firefox.
  firefox: [join(BROWSER, '../firefox.js')],
};

/** Parts of those runs, for who asks for them by name. */
const PARTS = {
  // Servers on one PostgreSQL, killed in the middle of a batch.
  'batch-kills': [VITEST, 'run', '--project', 'servers', '--passWithNoTests', 'batchKills.postgres'],
};

const BY_NAME = { ...RUNS, ...PARTS };
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BY_NAME, name));
if (unknown.length > 0) {
  console.error(`There is no run ${unknown.join(', ')}; there are ${Object.keys(BY_NAME).join(', ')}.`);
  process.exit(1);
}
const directory = mkdtempSync(join(tmpdir(), 'countinghouse-deep-'));
const figures = join(directory, 'figures.jsonl');
const failed = [];
for (const [name, args] of Object.entries(asked.length > 0 ? BY_NAME : RUNS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const env = { ...process.env, DEEP: '1', FIGURES: figures };
  if (spawnSync(process.execPath, args, { stdio: 'inherit', env }).status !== 0) failed.push(name);
}
if (existsSync(figures)) {
  for (const line of readFileSync(figures, 'utf8').trim().split('\n')) {
    const { of, ...counted } = JSON.parse(line);
    const words = Object.entries(counted).map(([what, count]) => `${what} ${count}`);
    console.log(`${of}: ${words.join(', ')}`);
  }
}
rmSync(directory, { recursive: true });
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
