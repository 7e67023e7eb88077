import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Journal, openJournal } from './journal.ts';
import { toRow } from './stored.ts';
import { record } from './testWorld.ts';
import { StorageUnavailable } from './unavailable.ts';

let journal: Journal;
beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  journal = openJournal();
});
afterEach(() => vi.unstubAllGlobals());

const other = record({ id: 'op_2', key: 'key-2' });

describe('a database of the first version', () => {
  const first = async () =>
    openDB('operations', 1, {
      upgrade: (database) => void database.createObjectStore('operations', { keyPath: 'id' }),
    });

  it('is opened with all that it holds', async () => {
    const database = await first();
    await database.put('operations', toRow(record({ state: 'unconfirmed', reason: 'no-answer' })));
    database.close();
    expect(await journal.insert(other)).toMatchObject({ existing: { id: 'op_1' } });
    expect((await journal.all()).records).toHaveLength(1);
  });

  it('that another tab does not let go is said, and opened once it does', async () => {
    const database = await first();
    await expect(journal.all()).rejects.toThrow('Another tab holds an older version');
    database.close();
    expect(await journal.insert(record())).toBeNull();
    // What opened late after all is closed: it would hold up the next version for ever.
    const newer = await openDB('operations', 3);
    expect(newer.version).toBe(3);
    newer.close();
  });

  it('that lets go when asked is opened at once', async () => {
    await openDB('operations', 1, {
      upgrade: (database) => void database.createObjectStore('operations', { keyPath: 'id' }),
      blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
    });
    expect(await journal.insert(record())).toBeNull();
  });
});

describe('storage that fails', () => {
  it('says so, where even its getter throws', async () => {
    vi.unstubAllGlobals();
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
    await expect(openJournal().all()).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(openJournal().insert(record())).rejects.toThrow('does not let the page record operations');
  });

  it('says so when there is no room', async () => {
    const add = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await expect(journal.insert(record())).rejects.toThrow('no room');
    add.mockRestore();
    expect((await journal.all()).records).toEqual([]);
  });

  it('closes for a newer version in another tab, and then asks for a reload', async () => {
    await journal.insert(record());
    const newer = await openDB('operations', 3);
    expect(newer.version).toBe(3);
    newer.close();
    await expect(journal.all()).rejects.toThrow('Reload the page');
  });
});
