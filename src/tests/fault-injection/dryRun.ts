import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { Rows, WriteTransaction } from '#src/server/operations/ports.ts';

/** The effects that a transaction would have had. */
export interface Dry<T> {
  value: T;
  /** The values that it read, by the name and arguments of the read. */
  reads: Map<string, unknown>;
  inserted: OperationRecord[];
  replaced: OperationRecord[];
}

/** Runs the work in a transaction that is rolled back. */
export async function dryRun<T>(rows: Rows, work: (transaction: WriteTransaction) => Promise<T>): Promise<Dry<T>> {
  const reads = new Map<string, unknown>();
  const inserted: OperationRecord[] = [];
  const replaced: OperationRecord[] = [];
  const done: T[] = [];
  const noted = async <R>(name: string, read: Promise<R>): Promise<R> => {
    const value = await read;
    reads.set(name, value);
    return value;
  };
  const takenBack = new Error('This transaction is rolled back.');
  await rows
    .write(async (transaction) => {
      const dry: WriteTransaction = {
        ...transaction,
        byKey: (key) => noted(`byKey ${key}`, transaction.byKey(key)),
        tombstone: (key) => noted(`tombstone ${key}`, transaction.tombstone(key)),
        byDuplicateKey: (duplicateKey, since) =>
          noted(`byDuplicateKey ${duplicateKey}`, transaction.byDuplicateKey(duplicateKey, since)),
        insert: async (record) => void inserted.push(record),
        replace: async (next) => void replaced.push(next),
      };
      done.push(await work(dry));
      throw takenBack;
    })
    .catch((error: unknown) => {
      if (error !== takenBack) throw error;
    });
  const [value] = done;
  return { value: value as T, reads, inserted, replaced };
}

/** A transaction whose reads return the values that an earlier one read. */
export function seeingAgain(
  transaction: WriteTransaction,
  reads: Dry<unknown>['reads'],
  names: readonly (keyof WriteTransaction)[],
): WriteTransaction {
  const again = <R>(name: keyof WriteTransaction, argument: string, read: () => Promise<R>): Promise<R> => {
    const call = `${name} ${argument}`;
    return names.includes(name) && reads.has(call) ? Promise.resolve(reads.get(call) as R) : read();
  };
  return {
    ...transaction,
    byKey: (key) => again('byKey', key, () => transaction.byKey(key)),
    tombstone: (key) => again('tombstone', key, () => transaction.tombstone(key)),
    byDuplicateKey: (duplicateKey, since) =>
      again('byDuplicateKey', duplicateKey, () => transaction.byDuplicateKey(duplicateKey, since)),
  };
}
