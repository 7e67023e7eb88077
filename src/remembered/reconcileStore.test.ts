import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { expect, test } from 'vitest';
import { type Book, exportBook, readBookFile, type Statement } from './reconcileBook.ts';
import { openReconcileStore } from './reconcileStore.ts';

let names = 0;
const open = () => openReconcileStore(`test-${(names += 1)}`);
const book: Book = {
  id: 'b1',
  service: 'sandbox',
  account: 'a',
  name: 'Books',
  since: null,
  statements: 0,
  last: null,
  carried: [],
  ledger: null,
};
const statement = (number: number, id: string): Statement => ({
  book: 'b1',
  number,
  asOf: 1_790_000_000,
  after: null,
  last: { id, created_at: 1 },
  fresh: [{ id, status: 'completed', asset: 'BTC', chain: 'bitcoin', received_amount: '1', created_at: 1 }],
  late: [],
  changed: [],
  givenUp: [],
  totals: [],
});
const after = (number: number): Book => ({ ...book, statements: number, last: { id: `d${number}`, created_at: 1 } });

test('a checkpoint is written whole or not at all, and only after the one before', async () => {
  const store = open();
  expect(await store.add(book)).toBe(true);
  expect(await store.add(book)).toBe(false);
  expect(await store.close(after(1), statement(1, 'd1'))).toBe(true);
  // Another tab that read the same book.
  expect(await store.close(after(1), statement(1, 'd1'))).toBe(false);
  expect(await store.close(after(3), statement(3, 'd3'))).toBe(false);
  expect(await store.books('sandbox')).toEqual([after(1)]);
  expect(await store.statements('b1')).toHaveLength(1);
});

test('books of the version before the heads are kept', async () => {
  const name = `test-${(names += 1)}`;
  const old = await openDB(name, 1, {
    upgrade: (database) => {
      database.createObjectStore('books', { keyPath: 'id' }).createIndex('service', 'service');
      database.createObjectStore('statements', { keyPath: ['book', 'number'] });
    },
  });
  await old.add('statements', statement(1, 'd1'));
  old.close();
  expect(await openReconcileStore(name).heads('b1')).toMatchObject([{ number: 1, fresh: 1 }]);
});

test('two tabs that set a checkpoint at once: one does', async () => {
  const store = open();
  await store.add(book);
  const done = await Promise.all([
    store.close(after(1), statement(1, 'd1')),
    store.close(after(1), statement(1, 'd1')),
  ]);
  expect(done.filter(Boolean)).toHaveLength(1);
});

test('statements are read back from the newest on; a book may go', async () => {
  const store = open();
  await store.add(after(2), [statement(1, 'd1'), statement(2, 'd2')]);
  const numbers: number[] = [];
  for await (const { number } of store.statementsFromLast(after(2))) numbers.push(number);
  expect(numbers).toEqual([2, 1]);
  expect(await store.heads('b1')).toEqual([
    { number: 1, asOf: 1_790_000_000, fresh: 1, late: 0, changed: 0 },
    { number: 2, asOf: 1_790_000_000, fresh: 1, late: 0, changed: 0 },
  ]);
  await store.remove('b1');
  expect([await store.books('sandbox'), await store.statements('b1')]).toEqual([[], []]);
});

test('a saved reconciliation comes back; one with a gap, a double or of another kind does not', () => {
  const whole = exportBook(after(2), [statement(1, 'd1'), statement(2, 'd2')]);
  expect(readBookFile(whole)).toEqual({ book: after(2), statements: [statement(1, 'd1'), statement(2, 'd2')] });
  expect(readBookFile(exportBook(after(2), [statement(1, 'd1')]))).toHaveProperty(
    'fault',
    expect.stringMatching('missing'),
  );
  expect(readBookFile(exportBook(after(2), [statement(1, 'd1'), statement(2, 'd1')]))).toHaveProperty(
    'fault',
    expect.stringMatching('two'),
  );
  for (const text of ['', '{}', '[]', '{"format":"x"}']) expect(readBookFile(text)).toHaveProperty('fault');
});
