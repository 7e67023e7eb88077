import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { lockDirectory } from './directoryLock.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(directory, 'db.lock');
});
afterEach(() => rmSync(directory, { recursive: true }));

// Above the largest pid that Linux gives.
const DEAD = 2 ** 22 + 1;

test('a lock is exclusive, names its holder and can be taken again when it is free', () => {
  const free = lockDirectory(path);
  expect(() => lockDirectory(path)).toThrow(`in use by process ${process.pid}`);
  free();
  expect(existsSync(path)).toBe(false);
  lockDirectory(path)();
});

test.each([
  ['a dead process', `${DEAD} 1\n`],
  ['a kill before the pid was written', ''],
  ['another process that had this pid', `${process.pid} 1\n`],
])('the lock of %s is taken over', (_, left) => {
  writeFileSync(path, left);
  lockDirectory(path);
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  expect(existsSync(`${path}.takeover`)).toBe(false);
});

test('a guard that a kill left behind does not bar the take-over', () => {
  writeFileSync(path, `${DEAD} 1\n`);
  writeFileSync(`${path}.takeover`, `${DEAD} 1\n`);
  expect(lockDirectory(path)).not.toThrow();
});

test('a lock that is just being written is held', async () => {
  writeFileSync(path, '');
  const writer = new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.postMessage('ready');
     const start = Date.now();
     while (Date.now() - start < 40);
     require('node:fs').writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(`${process.ppid} \n`)});`,
    { eval: true },
  );
  await new Promise((resolve) => {
    writer.once('message', resolve);
  });
  expect(() => lockDirectory(path)).toThrow(`in use by process ${process.ppid}`);
  await writer.terminate();
});
