import type { Book, LedgerMark, Statement } from '#src/remembered/reconcileBook.ts';
import type { Found } from './run.ts';

/** Nothing to state: a checkpoint would say the same as the one before. */
export function isEmpty({ fresh, late, changed }: Pick<Found, 'fresh' | 'late' | 'changed'>): boolean {
  return fresh.length === 0 && late.length === 0 && changed.length === 0;
}

/** The book and its next statement, to be written together. */
export function nextOf(book: Book, found: Found, ledger: LedgerMark | null): { next: Book; statement: Statement } {
  const number = book.statements + 1;
  const { asOf, fresh, late, totals, changed, givenUp, last, carried } = found;
  const statement = { book: book.id, number, asOf, after: book.last, last, fresh, late, changed, givenUp, totals };
  return { next: { ...book, statements: number, last, carried, ledger }, statement };
}
