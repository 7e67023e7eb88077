import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withdrawalBody } from './body.ts';
import { type Journal, openJournal } from './journal.ts';
import { damage } from './testJournal.ts';
import { SENT, T0, record } from './testWorld.ts';

let journal: Journal;
beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  journal = openJournal();
});
afterEach(() => vi.unstubAllGlobals());

const to = (address: string): string => withdrawalBody({ ...SENT, address });
const other = record({ id: 'op_2', key: 'key-2' });

describe('closing what cannot be read', () => {
  const closure = { id: 'op_1', words: 'Their support says so.', at: 1, date: T0 };
  beforeEach(async () => {
    await journal.insert(record());
  });

  it('is kept beside the row, which stays as it is', async () => {
    await damage('op_1', (row) => ({ ...row, firstSentAt: T0 + 1 }));
    const before = await journal.raw('op_1');
    expect(before).toMatchObject({ id: 'op_1', key: 'key-1', firstSentAt: T0 + 1 });
    expect(await journal.closeDamaged(closure)).toBe(true);
    expect(await journal.closeDamaged({ ...closure, words: 'again' })).toBe(false);
    const { words, at, date } = closure;
    expect(await openJournal().all()).toMatchObject({ records: [], damaged: [{ closed: { words, at, date } }] });
    expect(await journal.raw('op_1')).toMatchObject({ row: before, closure });
    expect(await journal.get('op_1')).toBeNull();
  });

  it('lets the insert through only when the person confirmed it within 24 h', async () => {
    await damage('op_1', (row) => ({ ...row, gist: null, body: 'x' }));
    await journal.closeDamaged(closure);
    const next = { ...other, body: to('1Elsewhere') };
    expect(await journal.insert(next)).toMatchObject({ existing: null, of: [{ id: 'op_1', foreign: true }] });
    expect(await journal.insert({ ...next, firstSentAt: T0 + 24 * 3_600 - 1 })).not.toBeNull();
    expect(await journal.insert({ ...next, secondSendOf: ['op_1'] })).toBeNull();
    expect(
      await journal.insert({ ...next, id: 'op_3', key: 'k3', body: to('1Third'), firstSentAt: T0 + 24 * 3_600 }),
    ).toBeNull();
  });

  it('is nothing for a record that can be read, or that is not there', async () => {
    expect(await journal.closeDamaged(closure)).toBe(false);
    expect(await journal.closeDamaged({ ...closure, id: 'op_9' })).toBe(false);
    expect(await journal.raw('op_9')).toBeNull();
  });

  it('that is damaged itself closes nothing, and can be done again', async () => {
    await damage('op_1', (row) => ({ ...row, firstSentAt: T0 + 1 }));
    await journal.closeDamaged(closure);
    await damage('op_1', (row) => ({ ...row, words: 'Something else.' }), 'closures');
    expect(await journal.insert(other)).toMatchObject({ existing: { id: 'op_1', damaged: true } });
    expect(await journal.closeDamaged(closure)).toBe(true);
    expect(await journal.insert(other)).toMatchObject({ existing: null });
  });

  it('holds against a tab that could read the record and was about to send it', async () => {
    const row = await journal.raw('op_1');
    await damage('op_1', () => ({ ...(row as object), schema: 3 }));
    await journal.closeDamaged(closure);
    await damage('op_1', () => row as object);
    expect(await journal.replace(record({ state: 'sending', revision: 1 }), 0)).toBe(false);
    expect(await journal.get('op_1')).toMatchObject({ state: 'closed', revision: 1 });
  });
});

describe('dropping', () => {
  it('takes the closure along, of a record that is what it was when it became readable again', async () => {
    await journal.insert(record());
    const done = record({ state: 'refused', revision: 1 });
    await journal.replace(done, 0);
    const row = await journal.raw('op_1');
    await damage('op_1', () => ({ ...(row as object), schema: 3 }));
    await journal.closeDamaged({ id: 'op_1', words: 'Said so.', at: 1, date: T0 });
    await damage('op_1', () => row as object);
    expect(await journal.get('op_1')).toEqual(done);
    expect(await journal.drop('op_1', 1)).toBe(true);
    await journal.insert(record());
    expect(await journal.get('op_1')).toEqual(record());
  });

  it('takes a finished record of that revision away, and nothing else', async () => {
    await journal.insert(record());
    expect(await journal.drop('op_1', 0)).toBe(false);
    await journal.replace(record({ state: 'refused', revision: 1 }), 0);
    expect(await journal.drop('op_1', 0)).toBe(false);
    expect(await journal.drop('op_2', 1)).toBe(false);
    expect(await journal.drop('op_1', 1)).toBe(true);
    expect(await journal.all()).toEqual({ records: [], damaged: [] });
  });

  it('takes nothing away that cannot be read', async () => {
    await journal.insert(record({ state: 'refused' }));
    await damage('op_1', (row) => ({ ...row, firstSentAt: T0 + 1 }));
    expect(await journal.drop('op_1', 0)).toBe(false);
    expect((await journal.all()).damaged).toHaveLength(1);
  });
});
