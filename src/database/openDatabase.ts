import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { openPostgres } from './postgres.ts';
import {
  type Database,
  CommitUnknown,
  reasonOf,
  repeated,
  saysRolledBack,
  type Param,
  type Queries,
  type Row,
} from './sql.ts';
import { lockDirectory } from './directoryLock.ts';
import { DURABLE_PARAMS, DurableFs, syncPath, syncTree } from './fsync.ts';

/** PostgreSQL when a URL is given, else PGlite in the directory, or in memory for the word `memory`. */
export function openDatabase(where: { databaseUrl?: string | null | undefined; directory: string }): Promise<Database> {
  if (where.databaseUrl) return openPostgres(where.databaseUrl);
  return where.directory === 'memory' ? openInMemory() : openOnDisk(where.directory);
}

const BIGINT = 20;
const NUMERIC = 1700;
const parsers = { [BIGINT]: (text: string) => text, [NUMERIC]: (text: string) => text };

function queriesOf(connection: PGlite | Transaction): Queries {
  return {
    async query<R extends Row>(text: string, params: readonly Param[] = []): Promise<R[]> {
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
    throw new CommitUnknown(reasonOf(error), error);
  }
}

async function wrap(db: PGlite, durable: boolean, close: () => Promise<void>): Promise<Database> {
  await db.exec('set search_path to sandbox');
  return {
    ...queriesOf(db),
    engine: 'PGlite',
    durable,
    transaction: (work) => repeated(() => transact(db, work)),
    close,
  };
}

/** A database in memory; it is gone when it is closed. */
async function openInMemory(): Promise<Database> {
  // To make a database takes seconds, to read an empty one from a file a tenth of it: for runs of many sandboxes.
  const template = process.env['SANDBOX_TEMPLATE'];
  const db = template ? await fromTemplate(template) : await PGlite.create({ parsers });
  return wrap(db, false, () => db.close());
}

async function fromTemplate(path: string): Promise<PGlite> {
  if (existsSync(path)) return PGlite.create({ parsers, loadDataDir: new Blob([readFileSync(path)]) });
  const db = await PGlite.create({ parsers });
  const dump = await db.dumpDataDir('none');
  mkdirSync(dirname(path), { recursive: true });
  // Written aside and renamed: nobody reads half of it.
  const part = `${path}.${process.pid}`;
  writeFileSync(part, Buffer.from(await dump.arrayBuffer()));
  renameSync(part, path);
  return db;
}

interface Opened {
  db: PGlite;
  durable: boolean;
  unlock: () => void;
}

async function openDirectory(directory: string): Promise<Opened> {
  mkdirSync(directory, { recursive: true });
  const unlock = await lockDirectory(directory);
  try {
    const data = join(directory, 'db');
    if (!existsSync(data)) {
      // Made aside and renamed: a kill in the middle of the first start leaves nothing half made behind.
      const fresh = join(directory, 'db.new');
      rmSync(fresh, { recursive: true, force: true });
      const made = await PGlite.create({ dataDir: fresh });
      await made.query('select 1');
      await made.close();
      syncTree(fresh);
      renameSync(fresh, data);
      syncPath(directory);
    }
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

/** The database in a directory, one instance per process however often it is opened; closed with its last user. */
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
    throw error;
  }
}
