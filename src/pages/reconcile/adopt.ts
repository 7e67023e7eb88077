import type { Book, Statement } from '#src/remembered/reconcileBook.ts';
import { baseOf } from './base.ts';
import type { Reads } from './reads.ts';
import { run, RunStopped } from './run.ts';

/**
 * Whether the books of another key are of this account too: the page after the last deposit stated reads, and every
 * deposit stated in the hour before it is found again. Throws RunStopped with the reason, or what a read throws.
 */
export async function proveSameAccount(
  book: Book,
  statements: () => AsyncIterable<Statement>,
  reads: Reads,
  signal: AbortSignal,
): Promise<void> {
  if (book.last === null) throw new RunStopped('Nothing was stated in it, so there is nothing to continue.');
  await reads.list({ order: 'asc' }, book.last.id, { limit: 1, signal });
  const base = await baseOf(book, statements());
  const { missing } = await run({ ...book, carried: [] }, base, reads, signal, () => undefined);
  if (missing.length > 0) {
    throw new RunStopped(
      `${missing.length} deposits stated in it are not found under this key: it is another account.`,
    );
  }
}

/** The same books under another key: ids of their own, and the other key keeps its own. */
export function adopted(
  book: Book,
  statements: readonly Statement[],
  { id, account }: { id: string; account: string },
): { book: Book; statements: Statement[] } {
  return { book: { ...book, id, account }, statements: statements.map((statement) => ({ ...statement, book: id })) };
}
