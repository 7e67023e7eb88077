import { createTotals } from '#src/list/export/totals.ts';
import type { Book, LedgerMark, StatedTotal, Statement } from '#src/remembered/reconcileBook.ts';
import type { Found } from './run.ts';

/** Exact sums of what is new, late ones included, per asset and status. */
export function totalsOf({ fresh, late }: Pick<Found, 'fresh' | 'late'>): StatedTotal[] {
  const totals = createTotals();
  for (const { asset, status, received_amount } of [...fresh, ...late]) totals.add(asset, status, received_amount);
  return totals.list();
}

/** Nothing to state: a checkpoint would say the same as the one before. */
export function isEmpty({ fresh, late, changed }: Pick<Found, 'fresh' | 'late' | 'changed'>): boolean {
  return fresh.length === 0 && late.length === 0 && changed.length === 0;
}

/** The book and its next statement, to be written together. */
export function nextOf(book: Book, found: Found, ledger: LedgerMark | null): { next: Book; statement: Statement } {
  const number = book.statements + 1;
  const { asOf, fresh, late, changed, givenUp, last, carried } = found;
  const totals = totalsOf(found);
  const statement = { book: book.id, number, asOf, after: book.last, last, fresh, late, changed, givenUp, totals };
  return { next: { ...book, statements: number, last, carried, ledger }, statement };
}
