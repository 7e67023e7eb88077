import type { WholeStatement } from '#src/api/statements.ts';
import type { TeamItem } from '#src/api/teamContract.ts';
import type { Book } from '#src/api/statementContract.ts';
import type { Found } from './run.ts';

/** Nothing to state: a checkpoint would say the same as the one before. */
export function isEmpty({ fresh, late, changed }: Pick<Found, 'fresh' | 'late' | 'changed'>): boolean {
  return fresh.length === 0 && late.length === 0 && changed.length === 0;
}

/** The next statement of a book, to be closed under this name. */
export function statementOf(
  { id, value: book }: Pick<TeamItem<Book>, 'id' | 'value'>,
  found: Found,
  closing: string,
): WholeStatement {
  const { asOf, fresh, late, totals, changed, givenUp, last, carried } = found;
  return {
    statement: {
      book: id,
      number: book.statements + 1,
      closing,
      // Counted when they are uploaded.
      parts: 0,
      asOf,
      after: book.last,
      last,
      counts: {
        fresh: fresh.length,
        late: late.length,
        changed: changed.length,
        givenUp: givenUp.length,
        carried: carried.length,
      },
      totals,
    },
    fresh,
    late,
    changed,
    givenUp,
    carried,
  };
}
