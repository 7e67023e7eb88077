import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { DEEP } from '#src/tests/depth.ts';
import { lockDirectory } from './directoryLock.ts';

const ROUNDS = DEEP ? 20 : 2;

let programs: string;
let directory: string;
const children: ChildProcess[] = [];

/** A program that locks the directory at its first input line, prints the result, and runs until it is killed. */
const PROGRAM = `
  import { createInterface } from 'node:readline';
  import { lockDirectory } from './directoryLock.js';
  const lines = createInterface({ input: process.stdin });
  console.log('ready');
  lines.once('line', (directory) =>
    lockDirectory(directory).then(() => console.log('won'), (error) => console.log(error.message)));`;

beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), 'lock-programs-'));
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: join(import.meta.dirname, 'directoryLock.ts'), outDir: programs, emptyOutDir: false },
  });
  writeFileSync(join(programs, 'package.json'), '{"type":"module"}');
  writeFileSync(join(programs, 'hold.js'), PROGRAM);
});
afterAll(() => rmSync(programs, { recursive: true }));
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

/** A process that is ready to lock: `go` starts it, `kill` is kill -9 and waits. */
async function contender() {
  const child = spawn(process.execPath, [join(programs, 'hold.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    pid: child.pid,
    child,
    async go(where = directory): Promise<string> {
      child.stdin.write(`${where}\n`);
      const { value } = await lines.next();
      return String(value);
    },
    async kill(): Promise<void> {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const contenders = (count: number) => Promise.all(Array.from({ length: count }, contender));

test('a lock is exclusive within a process too, names its holder, and can be taken again when it is free', async () => {
  const free = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by another process (${process.pid})`);
  free();
  expect(readdirSync(directory)).toEqual([]);
  (await lockDirectory(directory))();
});

test(
  'after each kill of the holder, one of two simultaneous starts gets the directory',
  { timeout: 120_000 },
  async () => {
    let holder = await contender();
    expect(await holder.go()).toBe('won');
    for (let round = 0; round < ROUNDS; round += 1) {
      const both = await contenders(2);
      await holder.kill();
      const results = await Promise.all(both.map((one) => one.go()));
      expect(results.filter((words) => words === 'won')).toHaveLength(1);
      expect(results.filter((words) => words.includes('is in use'))).toHaveLength(1);
      const winner = both[results.indexOf('won')];
      if (winner === undefined) throw new Error('Nobody won.');
      // Only the winner is left, so everything in the directory is its own.
      await both.find((one) => one !== winner)?.kill();
      holder = winner;
    }
    expect(readdirSync(directory)).toHaveLength(1);
  },
);

test('one of six simultaneous starts gets the directory', async () => {
  const all = await contenders(6);
  const results = await Promise.all(all.map((one) => one.go()));
  expect(results.filter((result) => result === 'won')).toHaveLength(1);
});

test('a stopped process keeps its lock', async () => {
  const holder = await contender();
  expect(await holder.go()).toBe('won');
  holder.child.kill('SIGSTOP');
  await expect(lockDirectory(directory)).rejects.toThrow('is in use');
});

test('a directory is locked once under all its paths, even those too long for a socket', async () => {
  const long = join(directory, 'a'.repeat(120), 'b'.repeat(120));
  mkdirSync(long, { recursive: true });
  symlinkSync(long, join(directory, 'short'));
  const [one, other] = await contenders(2);
  expect(await one?.go(long)).toBe('won');
  expect(await other?.go(join(directory, 'short'))).toBe(
    `The database in ${join(directory, 'short')} is in use by another process (${one?.pid}). Stop it, or set DATA_DIR.`,
  );
  await one?.kill();
  (await lockDirectory(join(directory, 'short')))();
  expect(readdirSync(long)).toEqual([]);
});
