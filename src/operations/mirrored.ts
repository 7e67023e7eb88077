import type { Journal } from './journal.ts';
import type { Mirror } from './mirror.ts';

/** The journal, telling the other tabs of every change that was committed. */
export function mirrored(journal: Journal, { tell }: Mirror): Journal {
  const telling = async <T>(changing: Promise<T>, isChange: (result: T) => boolean): Promise<T> => {
    const result = await changing;
    if (isChange(result)) tell();
    return result;
  };
  const isDone = (done: boolean): boolean => done;
  return {
    ...journal,
    insert: (record) => telling(journal.insert(record), (found) => found === null),
    replace: (next, expected) => telling(journal.replace(next, expected), isDone),
    drop: (id, expected) => telling(journal.drop(id, expected), isDone),
    closeDamaged: (closure) => telling(journal.closeDamaged(closure), isDone),
  };
}
