import { type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import { faultIn } from './kinds.ts';
import { candidateOf, lookAlikes } from './lookAlikes.ts';
import type { Sameness } from './operations.ts';
import type { DamagedRecord, OperationRecord } from './record.ts';
import { fromRow, toRow } from './stored.ts';

const DATABASE = 'operations';
const STORE = 'operations';
const VERSION = 1;

/** Storage refused; `message` says why in plain words. */
export class StorageUnavailable extends Error {}

export interface Everything {
  records: OperationRecord[];
  damaged: DamagedRecord[];
}

/** Durable records; every method throws StorageUnavailable and nothing else. */
export interface Journal {
  all: () => Promise<Everything>;
  /** null: absent or damaged. */
  get: (id: string) => Promise<OperationRecord | null>;
  /** Looks for look-alikes and inserts in one transaction; the answer is null when it was inserted. */
  insert: (record: OperationRecord) => Promise<Sameness | null>;
  /** Compare-and-set by revision: false when the record moved on, is gone or damaged. */
  replace: (next: OperationRecord, expected: number) => Promise<boolean>;
}

/** The journal in this browser; opened at the first use, and again after another tab needed it closed. */
export function openJournal(name = DATABASE): Journal {
  let opening: Promise<IDBPDatabase> | null = null;
  const close = (): void => {
    const open = opening;
    opening = null;
    open?.then((database) => database.close()).catch(() => undefined);
  };

  function open(): Promise<IDBPDatabase> {
    opening ??= new Promise<IDBPDatabase>((resolve, reject) => {
      openDB(name, VERSION, {
        upgrade: (database) => void database.createObjectStore(STORE, { keyPath: 'id' }),
        blocked: () => reject(new StorageUnavailable('Another tab holds an older version of the records. Close it.')),
        blocking: close,
        terminated: close,
      }).then(resolve, reject);
    });
    opening.catch(() => {
      opening = null;
    });
    return opening;
  }

  async function transact<T, Mode extends 'readonly' | 'readwrite'>(
    mode: Mode,
    work: (rows: Rows<Mode>) => Promise<T>,
  ): Promise<T> {
    try {
      const database = await open();
      const transaction = database.transaction<typeof STORE, Mode>(STORE, mode, { durability: 'strict' });
      // It is awaited below; a failing request would else leave it rejected and unheard.
      transaction.done.catch(() => undefined);
      const result = await work(transaction.store);
      await transaction.done;
      return result;
    } catch (error) {
      throw error instanceof StorageUnavailable ? error : new StorageUnavailable(wordsOf(error));
    }
  }

  return {
    all: () => transact('readonly', everythingIn),
    get: (id) => transact('readonly', (rows) => readOne(rows, id)),
    insert: (record) => transact('readwrite', (rows) => insertIn(rows, record)),
    replace: (next, expected) => transact('readwrite', (rows) => replaceIn(rows, next, expected)),
  };
}

type Rows<Mode extends IDBTransactionMode> = IDBPObjectStore<unknown, [typeof STORE], typeof STORE, Mode>;
type Readable = Pick<Rows<'readonly'>, 'get' | 'getAll'>;
type Writable = Readable & Pick<Rows<'readwrite'>, 'add' | 'put'>;

async function everythingIn(rows: Readable): Promise<Everything> {
  const everything: Everything = { records: [], damaged: [] };
  for (const row of await rows.getAll()) {
    const read = fromRow(row);
    if ('record' in read) everything.records.push(read.record);
    else everything.damaged.push(read.damaged);
  }
  return everything;
}

async function readOne(rows: Readable, id: string): Promise<OperationRecord | null> {
  const read = fromRow(await rows.get(id));
  return 'record' in read ? read.record : null;
}

async function insertIn(rows: Writable, record: OperationRecord): Promise<Sameness | null> {
  const fault = faultIn(record);
  if (fault !== null) throw new StorageUnavailable(fault);
  const found = lookAlikes(await everythingIn(rows), candidateOf(record));
  if (found.existing !== null || found.of.length > 0) return found;
  await rows.add(toRow(record));
  return null;
}

async function replaceIn(rows: Writable, next: OperationRecord, expected: number): Promise<boolean> {
  const stored = await readOne(rows, next.id);
  if (stored === null || stored.revision !== expected) return false;
  if (stored.key !== next.key || stored.body !== next.body || stored.account !== next.account) return false;
  await rows.put(toRow(next));
  return true;
}

function wordsOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'QuotaExceededError') return 'This browser has no room left to record operations.';
  if (name === 'VersionError') return 'A newer version of this app has been open here. Reload the page.';
  const words = error instanceof Error && error.message !== '' ? ` (${error.message})` : '';
  return `This browser does not let the page record operations${words}.`;
}
