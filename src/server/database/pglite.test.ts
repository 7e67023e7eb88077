import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { DurableFs, openDatabase } from './openDatabase.ts';
import { migrate, CommitUnknown, DatabaseRefused, type Database } from './sql.ts';
import { shareSession } from './postgres.ts';

let directory: string;
let sql: Database;

// Creating a database takes seconds, so this file shares one; some tests close and reopen it.
beforeAll(async () => {
  directory = fs.mkdtempSync(join(tmpdir(), 'database-'));
  sql = await openDatabase({ directory });
  await migrate(sql, 'sandbox', ['create table numbers (n integer primary key deferrable initially deferred)']);
}, 60_000);
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await sql.close();
  fs.rmSync(directory, { recursive: true });
});

const insert = (n: number) => sql.transaction((tx) => tx.query('insert into numbers values ($1)', [n]));
const numbers = async () => (await sql.query<{ n: number }>('select n from numbers order by n')).map(({ n }) => n);

test('each commit calls fsync, and reads don’t', async () => {
  expect(sql.durable).toBe(true);
  const fsync = vi.spyOn(fs, 'fsyncSync');
  for (const n of [1, 2, 3]) {
    const before = fsync.mock.calls.length;
    await insert(n);
    expect(fsync.mock.calls.length).toBeGreaterThan(before);
  }
  fsync.mockClear();
  await numbers();
  expect(fsync).not.toHaveBeenCalled();
});

test('without the fsync hook the database reports that it is not durable', async () => {
  await sql.close();
  const bare = vi.spyOn(DurableFs.prototype, 'init').mockImplementation(function bareInit(this: DurableFs, ...given) {
    return NodeFS.prototype.init.apply(this, given);
  });
  sql = await openDatabase({ directory });
  expect(sql.durable).toBe(false);
  await sql.close();
  bare.mockRestore();
  sql = await openDatabase({ directory });
  expect(sql.durable).toBe(true);
});

test('a throw rolls back, and an error answer to COMMIT counts as a rollback', async () => {
  await expect(
    sql.transaction(async (tx) => {
      await tx.query('insert into numbers values (10)');
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  const deferred = await insert(1).catch((error: unknown) => error);
  expect(deferred).toMatchObject({ code: '23505' });
  expect(deferred).not.toBeInstanceOf(CommitUnknown);
  const minded = sql.transaction(async (tx) => {
    await tx.query('insert into numbers values (11)');
    await tx.query('select wrong').catch(() => undefined);
  });
  await expect(minded).rejects.toThrow('rolled back');
  expect(await numbers()).toEqual([1, 2, 3]);
});

/** A program that opens a directory and commits on a disk that fails at the named call. */
const ON_A_FAILING_DISK = `
  import fs from 'node:fs';
  import { openDatabase } from './openDatabase.js';
  const [directory, call, code] = process.argv.slice(2);
  const sql = await openDatabase({ directory });
  const works = fs[call];
  fs[call] = (file, ...given) => {
    if (file === 2) return works(file, ...given);
    throw Object.assign(new Error(code + ': no'), { code });
  };
  await sql.transaction((tx) => tx.query('insert into numbers values (' + process.pid + ')'));
  console.log('committed');`;

test('a failing disk ends the process before it reports a commit, and earlier commits are kept', async () => {
  await sql.close();
  // Under node_modules, so that it can import packages.
  const programs = fs.mkdtempSync(join(import.meta.dirname, '../../../node_modules/.cache/database-'));
  const entry = join(import.meta.dirname, 'openDatabase.ts');
  await build({ configFile: false, logLevel: 'error', build: { ssr: entry, outDir: programs, emptyOutDir: false } });
  fs.writeFileSync(join(programs, 'package.json'), '{"type":"module"}');
  fs.writeFileSync(join(programs, 'commit.js'), ON_A_FAILING_DISK);
  for (const [call, code] of [
    ['fsyncSync', 'EIO'],
    ['writeSync', 'ENOSPC'],
  ] as const) {
    const args = [join(programs, 'commit.js'), directory, call, code];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`The disk of ${join(directory, 'db')} failed, so this process ends: ${code}: no\n`);
  }
  fs.rmSync(programs, { recursive: true });
  sql = await openDatabase({ directory });
  expect((await numbers()).slice(0, 3)).toEqual([1, 2, 3]);
});

test('other users can’t read PGlite’s files, not even in a directory from an earlier version', async () => {
  const modeOf = (path: string) => fs.statSync(path).mode & 0o777;
  await sql.close();
  fs.chmodSync(join(directory, 'db'), 0o755);
  sql = await openDatabase({ directory });
  expect(modeOf(join(directory, 'db'))).toBe(0o700);
});

test.each<[Parameters<typeof openDatabase>[0], string]>([
  [{ directory: '/dev/null/x' }, 'DATA_DIR (/dev/null/x) cannot be used: ENOTDIR'],
  [{ directory: '/dev/null' }, 'DATA_DIR (/dev/null) cannot be used: EEXIST'],
  [{ directory: '', databaseUrl: 'postgres://pay:S3cr3t/pass@host/x' }, 'of DATABASE_URL cannot be used'],
  [{ directory: '', databaseUrl: 'postgres://pay:S3cr3t#p@host/x' }, 'of DATABASE_URL cannot be used'],
  [{ directory: '', databaseUrl: 'postgres://p:S3cr3t%@host/x' }, 'of DATABASE_URL cannot be used'],
  [{ directory: '', databaseUrl: 'S3cr3t' }, 'of DATABASE_URL cannot be used'],
])('%j is refused in one line, which shows no password', async (where, words) => {
  const refusal = await openDatabase(where).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: 'DatabaseRefused', message: expect.stringContaining(words) as unknown });
  expect(String(refusal)).not.toContain('S3cr3t');
});

test('migrations go forward once each, and a newer database is refused', async () => {
  const steps = ['create table a (n integer)', 'insert into a values (1)'];
  await migrate(sql, 'forward', steps.slice(0, 1));
  await migrate(sql, 'forward', steps);
  await migrate(sql, 'forward', steps);
  expect(await sql.query('select n from forward.a')).toEqual([{ n: 1 }]);
  expect(await sql.query('show search_path')).toEqual([{ search_path: 'sandbox' }]);
  const older = migrate(sql, 'forward', steps.slice(0, 1));
  await expect(older).rejects.toThrow(DatabaseRefused);
  await expect(older).rejects.toThrow('newer version');
});

test('a failed migration step leaves no trace, and is retried at the next start', async () => {
  const broken = migrate(sql, 'broken', ['create table a (n integer)', 'create table b (n integer); select wrong']);
  await expect(broken).rejects.toThrow('wrong');
  await migrate(sql, 'broken', ['create table a (n integer)', 'create table b (n integer)']);
  expect(await sql.query('select n from broken.b')).toEqual([]);
});

test('two connections sharing one session are distinguished from two sessions', async () => {
  expect(await shareSession(sql, sql)).toBe(true);
});
