import { type Closure, toClosureRow } from './closures.ts';
import { type Stores, openDatabase } from './database.ts';
import { faultIn } from './kinds.ts';
import { candidateOf, lookAlikes } from './lookAlikes.ts';
import type { Sameness } from './operations.ts';
import { type DamagedRecord, type OperationRecord, isFinal } from './record.ts';
import { fromRow, toRow } from './stored.ts';
import { StorageUnavailable } from './unavailable.ts';

const DATABASE = 'operations';

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
  /** Deletes a finished record; false when it moved on, is gone, damaged or not finished. */
  drop: (id: string, expected: number) => Promise<boolean>;
  /** Closes by hand what cannot be read, beside its row; false when it can be read, is gone or was closed before. */
  closeDamaged: (closure: Closure) => Promise<boolean>;
  /** Exactly what is stored under the id, readable or not; null when nothing is. */
  raw: (id: string) => Promise<unknown>;
}

/** The journal in this browser. */
export function openJournal(name = DATABASE): Journal {
  const { transact } = openDatabase(name);
  return {
    all: () => transact('readonly', everythingIn),
    get: (id) => transact('readonly', (stores) => readOne(stores, id)),
    insert: (record) => transact('readwrite', (stores) => insertIn(stores, record)),
    replace: (next, expected) => transact('readwrite', (stores) => replaceIn(stores, next, expected)),
    drop: (id, expected) => transact('readwrite', (stores) => dropIn(stores, id, expected)),
    closeDamaged: (closure) => transact('readwrite', (stores) => closeIn(stores, closure)),
    raw: (id) => transact('readonly', (stores) => rawIn(stores, id)),
  };
}

type Mode = 'readonly' | 'readwrite';

async function everythingIn({ records, closures }: Stores<Mode>): Promise<Everything> {
  const everything: Everything = { records: [], damaged: [] };
  const closed = new Map<unknown, unknown>((await closures.getAll()).map((row: { id?: unknown }) => [row.id, row]));
  for (const row of await records.getAll()) {
    const read = fromRow(row, closed.get(row.id));
    if ('record' in read) everything.records.push(read.record);
    else everything.damaged.push(read.damaged);
  }
  return everything;
}

async function readOne({ records, closures }: Stores<Mode>, id: string): Promise<OperationRecord | null> {
  const read = fromRow(await records.get(id), await closures.get(id));
  return 'record' in read ? read.record : null;
}

async function insertIn(stores: Stores<'readwrite'>, record: OperationRecord): Promise<Sameness | null> {
  const fault = faultIn(record);
  if (fault !== null) throw new StorageUnavailable(fault);
  const found = lookAlikes(await everythingIn(stores), candidateOf(record));
  if (found.existing !== null || found.of.length > 0) return found;
  await stores.records.add(toRow(record));
  return null;
}

async function replaceIn(stores: Stores<'readwrite'>, next: OperationRecord, expected: number): Promise<boolean> {
  const stored = await readOne(stores, next.id);
  if (stored === null || stored.revision !== expected) return false;
  if (stored.key !== next.key || stored.body !== next.body || stored.account !== next.account) return false;
  await stores.records.put(toRow(next));
  return true;
}

async function dropIn(stores: Stores<'readwrite'>, id: string, expected: number): Promise<boolean> {
  const stored = await readOne(stores, id);
  if (stored === null || stored.revision !== expected || !isFinal(stored.state)) return false;
  await stores.records.delete(id);
  await stores.closures.delete(id);
  return true;
}

async function closeIn({ records, closures }: Stores<'readwrite'>, closure: Closure): Promise<boolean> {
  const row: unknown = await records.get(closure.id);
  const read = fromRow(row, await closures.get(closure.id));
  if (row === undefined || 'record' in read || read.damaged.closed) return false;
  await closures.put(toClosureRow(closure));
  return true;
}

async function rawIn({ records, closures }: Stores<Mode>, id: string): Promise<unknown> {
  const row: unknown = await records.get(id);
  const closure: unknown = await closures.get(id);
  if (row === undefined) return null;
  return closure === undefined ? row : { row, closure };
}
