import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Book, Statement } from './reconcileBook.ts';

/** Book, number, asOf, and how many new, late and changed ones. */
type HeadKey = [string, number, number, number, number, number];
const HEADS = ['book', 'number', 'asOf', 'fresh.length', 'late.length', 'changed.length'];

/** A statement without its rows, for the list of them. */
export interface StatementHead {
  number: number;
  asOf: number;
  fresh: number;
  late: number;
  changed: number;
}

interface Schema extends DBSchema {
  books: { key: string; value: Book; indexes: { service: string } };
  statements: { key: [string, number]; value: Statement; indexes: { heads: HeadKey } };
}

/** Reconciliations of this browser; every method rejects where the browser refuses storage. */
export interface ReconcileStore {
  /** Of this service, of all accounts. */
  books: (service: string) => Promise<Book[]>;
  /** By number; their rows are not read, which for 100,000 deposits would take a while. */
  heads: (book: string) => Promise<StatementHead[]>;
  /** By number. */
  statements: (book: string) => Promise<Statement[]>;
  /** One of them; throws where this browser has lost it. */
  statement: (book: string, number: number) => Promise<Statement>;
  /** The newest first, read one at a time: a book may hold 100,000 deposits. */
  statementsFromLast: (book: Book) => AsyncGenerator<Statement, void, undefined>;
  /** A new book, with the statements that it brings; false: there is one with this id. */
  add: (book: Book, statements?: readonly Statement[]) => Promise<boolean>;
  /** Statement and book in one transaction; false: another tab closed one meanwhile, and nothing was written. */
  close: (next: Book, statement: Statement) => Promise<boolean>;
  remove: (book: string) => Promise<void>;
}

export function openReconcileStore(name = 'reconcile'): ReconcileStore {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  const forget = (): void => {
    opening = null;
  };
  const open = (): Promise<IDBPDatabase<Schema>> => {
    opening ??= openDB<Schema>(name, 2, {
      upgrade: (database, before, _now, tx) => {
        if (before < 1) {
          database.createObjectStore('books', { keyPath: 'id' }).createIndex('service', 'service');
          database.createObjectStore('statements', { keyPath: ['book', 'number'] });
        }
        tx.objectStore('statements').createIndex('heads', HEADS);
      },
      blocking: (_current, _blocked, event) => {
        if (event.target instanceof IDBDatabase) event.target.close();
        forget();
      },
      terminated: forget,
    });
    opening.catch(forget);
    return opening;
  };
  const statement = async (book: string, number: number): Promise<Statement> => {
    const found = await (await open()).get('statements', [book, number]);
    if (!found) throw new Error(`Statement ${number} is missing from this browser.`);
    return found;
  };
  const writing = async () =>
    (await open()).transaction(['books', 'statements'], 'readwrite', { durability: 'strict' });
  const all = (book: string) => IDBKeyRange.bound([book, 0], [book, Infinity]);

  return {
    books: async (service) => (await open()).getAllFromIndex('books', 'service', service),
    heads: async (book) => {
      const heads: StatementHead[] = [];
      const index = (await open()).transaction('statements').store.index('heads');
      let cursor = await index.openKeyCursor(all(book));
      for (; cursor; cursor = await cursor.continue()) {
        const [, number, asOf, fresh, late, changed] = cursor.key;
        heads.push({ number, asOf, fresh, late, changed });
      }
      return heads;
    },
    statements: async (book) => (await open()).getAll('statements', all(book)),
    statement,
    statementsFromLast: async function* ({ id, statements }) {
      for (let number = statements; number >= 1; number -= 1) yield statement(id, number);
    },
    add: async (book, statements = []) => {
      const tx = await writing();
      const taken = (await tx.objectStore('books').get(book.id)) !== undefined;
      if (!taken) {
        await tx.objectStore('books').add(book);
        for (const one of statements) await tx.objectStore('statements').add(one);
      }
      await tx.done;
      return !taken;
    },
    close: async (next, closed) => {
      const tx = await writing();
      const current = await tx.objectStore('books').get(next.id);
      const isNext = current?.statements === closed.number - 1 && next.statements === closed.number;
      if (isNext) {
        await tx.objectStore('statements').add(closed);
        await tx.objectStore('books').put(next);
      }
      await tx.done;
      return isNext;
    },
    remove: async (id) => {
      const tx = await writing();
      await tx.objectStore('statements').delete(all(id));
      await tx.objectStore('books').delete(id);
      await tx.done;
    },
  };
}
