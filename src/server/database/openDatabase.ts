import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, dirname, resolve } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import {
  systemErrorCode,
  systemErrorMessage,
  type Database,
  CommitUnknown,
  retryOnDeadlock,
  saysRolledBack,
  unusableDirectory,
  type Param,
  type Queries,
  type SqlRow,
} from './sql.ts';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { openPostgres } from './postgres.ts';
import { lockDirectory } from './directoryLock.ts';

/** PostgreSQL if a URL is given, otherwise PGlite in the directory, or in memory for `memory`. */
export function openDatabase(where: { databaseUrl?: string | null | undefined; directory: string }): Promise<Database> {
  if (where.databaseUrl) return openPostgres(where.databaseUrl);
  return where.directory === 'memory' ? openInMemory() : openOnDisk(where.directory);
}

const BIGINT = 20;
const NUMERIC = 1700;
const parsers = { [BIGINT]: (text: string) => text, [NUMERIC]: (text: string) => text };

function queriesOf(connection: PGlite | Transaction): Queries {
  return {
    async query<R extends SqlRow>(text: string, params: readonly Param[] = []): Promise<R[]> {
      const { rows } = await connection.query<R>(text, [...params]);
      return rows;
    },
    async script(text) {
      await connection.exec(text);
    },
  };
}

async function transact<T>(db: PGlite, work: (tx: Queries) => Promise<T>): Promise<T> {
  let committing = false;
  try {
    return await db.transaction(async (tx) => {
      const value = await work(queriesOf(tx));
      committing = true;
      return value;
    });
  } catch (error) {
    if (!committing || saysRolledBack(error)) throw error;
    throw new CommitUnknown(systemErrorMessage(error), error);
  }
}

async function wrap(db: PGlite, durable: boolean, close: () => Promise<void>): Promise<Database> {
  await db.exec('set search_path to sandbox');
  return {
    ...queriesOf(db),
    engine: 'PGlite',
    durable,
    transaction: (work) => retryOnDeadlock(() => transact(db, work)),
    close,
  };
}

async function openInMemory(): Promise<Database> {
  // For runs with many sandboxes: loading an empty database from a file takes a tenth of the seconds that creating one takes.
  const template = process.env['SANDBOX_TEMPLATE'];
  const db = template ? await fromTemplate(template) : await PGlite.create({ parsers, startParams: START_PARAMS });
  return wrap(db, false, () => db.close());
}

async function fromTemplate(path: string): Promise<PGlite> {
  if (existsSync(path))
    return PGlite.create({ parsers, startParams: START_PARAMS, loadDataDir: new Blob([readFileSync(path)]) });
  const db = await PGlite.create({ parsers, initDbStartParams: ['--wal-segsize=1'] });
  // Tests create no databases from the templates. Without them, and with short log files, it loads in half the time.
  await db.exec('update pg_database set datistemplate = false');
  for (const unused of ['template0', 'template1']) await db.exec(`drop database ${unused}`);
  await db.exec('checkpoint');
  const dump = await db.dumpDataDir('none');
  mkdirSync(dirname(path), { recursive: true });
  // Write to another name and rename, so that a half-written file is never read.
  const part = `${path}.${process.pid}`;
  writeFileSync(part, Buffer.from(await dump.arrayBuffer()));
  renameSync(part, path);
  return db;
}

/** Creates the data directory in a separate process, because initdb would leave 150 MB allocated in this one. */
async function makeDirectory(dataDir: string): Promise<void> {
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const make = `require(${JSON.stringify(pglite)}).PGlite.create(${JSON.stringify({ dataDir })})
    .then((db) => db.close()).then(() => process.exit())`;
  // Skip the optimizing compiler, which would take a third of this short-lived process's time.
  await promisify(execFile)(process.execPath, ['--liftoff-only', '--eval', make]).catch(() => {
    throw new Error('no database could be made in it. Is its disk full?');
  });
}

const FRESH = 'db.new';

async function openDirectory(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = await lockDirectory(directory);
  try {
    const data = join(directory, 'db');
    if (!existsSync(data)) {
      // Created under another name and renamed, so that a kill during the first start leaves nothing incomplete; a
      // child process that outlives it for a moment writes to its own name.
      for (const name of readdirSync(directory))
        if (name.startsWith(FRESH)) rmSync(join(directory, name), { recursive: true, force: true });
      const fresh = join(directory, FRESH + randomBytes(6).toString('hex'));
      await makeDirectory(fresh);
      syncTree(fresh);
      renameSync(fresh, data);
      syncPath(directory);
    }
    // PGlite's files are writable by everybody, and the folder itself may be shared.
    chmodSync(data, 0o700);
    const fs = new DurableFs(data);
    const db = await PGlite.create({ fs, parsers, startParams: DURABLE_PARAMS });
    return { db, durable: await fs.holdsCommitsOf(db), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

interface Shared {
  opening: ReturnType<typeof openDirectory>;
  users: number;
}

// On globalThis, because a development server that restarts loads this module a second time in one process.
declare global {
  var countinghouseDatabases: Map<string, Shared> | undefined;
}
const databases = (globalThis.countinghouseDatabases ??= new Map<string, Shared>());

/** The database in a directory: one instance per process, closed with its last user. */
async function openOnDisk(directory: string): Promise<Database> {
  const path = resolve(directory);
  const shared = databases.get(path) ?? { opening: openDirectory(path), users: 0 };
  databases.set(path, shared);
  shared.users += 1;
  const release = async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    const { db, unlock } = await shared.opening;
    databases.delete(path);
    await db.close();
    unlock();
  };
  try {
    const { db, durable } = await shared.opening;
    return await wrap(db, durable, release);
  } catch (error) {
    databases.delete(path);
    throw unusableDirectory(directory, error);
  }
}

/** PostgreSQL allocates its buffers in this process at once: 128 MB by default. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

/** With fsync, which PGlite turns off (-F); fdatasync, its default on Linux, does nothing there. */
const DURABLE_PARAMS = [...START_PARAMS.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'];

/** An open file of Emscripten. A directory has no descriptor in this process. */
interface Stream {
  nfd?: number;
  path?: string;
}

const DATA = '/pglite/data';

export function syncPath(path: string): void {
  const file = fs.openSync(path, 'r');
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/**
 * PostgreSQL aborts if its log cannot be written or fsync fails, because the data may be lost and a second fsync would
 * report success. In WebAssembly its abort is an endless loop, so the process exits here and recovers at its next start.
 */
function orEnd<T>(directory: string, ends: (error: unknown) => boolean, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!ends(error)) throw error;
    try {
      fs.writeSync(2, `The disk of ${directory} failed, so this process ends: ${systemErrorMessage(error)}\n`);
    } finally {
      // Writing the log line may fail, too, if it is on the same disk.
      process.exit(1);
    }
  }
}

const DISK_FAILED = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']);

/** A directory with real fsync: Emscripten's own NODEFS doesn't sync, but reports success. */
export class DurableFs extends NodeFS {
  syncs = 0;

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    // Before PostgreSQL starts, because its recovery after a crash writes, too.
    const hook = ({ NODEFS }: PGlite['Module']) => {
      const operations: unknown = Reflect.get(NODEFS, 'stream_ops');
      if (typeof operations !== 'object' || operations === null) return;
      Object.assign(operations, { fsync: (stream: Stream) => this.#fsync(stream) });
      // All other system calls use it by this name.
      const tried: unknown = Reflect.get(NODEFS, 'tryFSOperation');
      if (typeof tried !== 'function') return;
      const ends = (error: unknown) => DISK_FAILED.has(systemErrorCode(error));
      Object.assign(NODEFS, { tryFSOperation: (work: () => unknown) => tried(() => orEnd(this.rootDir, ends, work)) });
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } };
  }

  #fsync({ nfd, path }: Stream): number {
    const sync = () => {
      if (nfd !== undefined) fs.fsyncSync(nfd);
      else if (path?.startsWith(DATA)) syncPath(join(this.rootDir, path.slice(DATA.length)));
      else return;
      this.syncs += 1;
    };
    orEnd(this.rootDir, () => true, sync);
    return 0;
  }

  /** Checks that a commit calls fsync, as a new version of PGlite may bypass the hook. */
  async holdsCommitsOf(db: PGlite): Promise<boolean> {
    const before = this.syncs;
    // A commit that writes something without needing a table.
    await db.query("select pg_logical_emit_message(true, 'countinghouse', 'start')");
    return this.syncs > before;
  }
}

/** Syncs a whole directory to disk, because initdb wrote it without fsync. */
function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true }))
    if (entry.isDirectory() || entry.isFile()) syncPath(join(entry.parentPath, entry.name));
  syncPath(directory);
}
