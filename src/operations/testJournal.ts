import { openDB } from 'idb';
import { toClosureRow } from './closures.ts';
import type { Everything, Journal } from './journal.ts';
import { candidateOf, lookAlikes } from './lookAlikes.ts';
import { type OperationRecord, isFinal } from './record.ts';
import { fromRow, toRow } from './stored.ts';
import { StorageUnavailable } from './unavailable.ts';

/** Rows shared by the tabs of one browser; `refuses` makes storage fail with that reason. */
export interface Disk {
  rows: Map<string, object>;
  closures: Map<string, object>;
  refuses: string | null;
}

export function memoryRows(): Disk {
  return { rows: new Map(), closures: new Map(), refuses: null };
}

/** The journal's own rules on those rows. */
export function memoryJournal(disk: Disk): Journal {
  const everything = (): Everything => {
    if (disk.refuses !== null) throw new StorageUnavailable(disk.refuses);
    return everythingOn(disk);
  };
  const find = (id: string): OperationRecord | null => everything().records.find((row) => row.id === id) ?? null;
  return {
    all: async () => everything(),
    get: async (id) => find(id),
    insert: async (next) => {
      const found = lookAlikes(everything(), candidateOf(next));
      if (found.existing !== null || found.of.length > 0) return found;
      disk.rows.set(next.id, structuredClone(toRow(next)));
      return null;
    },
    replace: async (next, expected) => {
      if (find(next.id)?.revision !== expected) return false;
      disk.rows.set(next.id, structuredClone(toRow(next)));
      return true;
    },
    drop: async (id, expected) => {
      const stored = find(id);
      if (stored === null || stored.revision !== expected || !isFinal(stored.state)) return false;
      disk.closures.delete(id);
      return disk.rows.delete(id);
    },
    closeDamaged: async (closure) => {
      const found = everything().damaged.find(({ id }) => id === closure.id);
      if (!found || found.closed) return false;
      disk.closures.set(closure.id, toClosureRow(closure));
      return true;
    },
    raw: async (id) => disk.rows.get(id) ?? null,
  };
}

/** What can be read of the rows. */
export function recordsIn(disk: Disk): OperationRecord[] {
  return everythingOn(disk).records;
}

function everythingOn({ rows, closures }: Disk): Everything {
  const read = [...rows].map(([id, row]) => fromRow(row, closures.get(id)));
  return {
    records: read.flatMap((row) => ('record' in row ? [row.record] : [])),
    damaged: read.flatMap((row) => ('damaged' in row ? [row.damaged] : [])),
  };
}

/** Changes what the real journal stored, behind its back. */
export async function damage(
  id: string,
  change: (row: Record<string, unknown>) => object,
  store = 'operations',
): Promise<void> {
  const database = await openDB('operations');
  const row = await database.get(store, id);
  await database.put(store, change(row));
  database.close();
}
