import { type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import { StorageUnavailable } from './unavailable.ts';

export const RECORDS = 'operations';
export const CLOSURES = 'closures';
const STORES = [RECORDS, CLOSURES] as const;
const VERSION = 2;

type Store<Name extends string, Mode extends IDBTransactionMode> = IDBPObjectStore<
  unknown,
  [typeof RECORDS, typeof CLOSURES],
  Name,
  Mode
>;

/** The two object stores in one transaction. */
export interface Stores<Mode extends IDBTransactionMode> {
  records: Store<typeof RECORDS, Mode>;
  closures: Store<typeof CLOSURES, Mode>;
}

export interface Database {
  /** One strict transaction over both stores, committed when it resolves; throws StorageUnavailable and nothing else. */
  transact: <T, Mode extends 'readonly' | 'readwrite'>(
    mode: Mode,
    work: (stores: Stores<Mode>) => Promise<T>,
  ) => Promise<T>;
}

/** Opened at the first use, and again after another tab needed it closed. */
export function openDatabase(name: string): Database {
  let opening: Promise<IDBPDatabase> | null = null;
  const close = (): void => {
    const open = opening;
    opening = null;
    open?.then((database) => database.close()).catch(() => undefined);
  };

  function open(): Promise<IDBPDatabase> {
    opening ??= new Promise<IDBPDatabase>((resolve, reject) => {
      let isGivenUp = false;
      const opened = openDB(name, VERSION, {
        upgrade,
        blocked: () => {
          isGivenUp = true;
          reject(new StorageUnavailable('Another tab holds an older version of the records. Close it.'));
        },
        blocking: close,
        terminated: close,
      });
      // One that opens after all is nobody's, and would block the next version for ever.
      opened.then((database) => (isGivenUp ? database.close() : resolve(database)), reject);
    });
    opening.catch(() => {
      opening = null;
    });
    return opening;
  }

  return {
    transact: async (mode, work) => {
      try {
        const database = await open();
        const transaction = database.transaction<[typeof RECORDS, typeof CLOSURES], typeof mode>([...STORES], mode, {
          durability: 'strict',
        });
        // It is awaited below; a failing request would else leave it rejected and unheard.
        transaction.done.catch(() => undefined);
        const stores = {
          records: transaction.objectStore(RECORDS),
          closures: transaction.objectStore(CLOSURES),
        };
        const result = await work(stores);
        await transaction.done;
        return result;
      } catch (error) {
        throw error instanceof StorageUnavailable ? error : new StorageUnavailable(wordsOf(error));
      }
    },
  };
}

function upgrade(database: IDBPDatabase, from: number): void {
  if (from < 1) database.createObjectStore(RECORDS, { keyPath: 'id' });
  if (from < 2) database.createObjectStore(CLOSURES, { keyPath: 'id' });
}

function wordsOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'QuotaExceededError') return 'This browser has no room left to record operations.';
  if (name === 'VersionError') return 'A newer version of this app has been open here. Reload the page.';
  const words = error instanceof Error && error.message !== '' ? ` (${error.message})` : '';
  return `This browser does not let the page record operations${words}.`;
}
