import { queryOptions } from '@tanstack/react-query';
import type { Book, Statement } from '#src/remembered/reconcileBook.ts';
import { reconcileStore } from './store.ts';

/** A statement without its rows, for the list of them. */
export interface StatementHead {
  number: number;
  asOf: number;
  fresh: number;
  late: number;
  changed: number;
}

function headOf({ number, asOf, fresh, late, changed }: Statement): StatementHead {
  return { number, asOf, fresh: fresh.length, late: late.length, changed: changed.length };
}

// Read from this browser, so neither a network nor a retry has a say.
const local = { networkMode: 'always', retry: false, staleTime: 0, gcTime: 0 } as const;

export const bookQueries = {
  /** Of this service, of all accounts of this browser. */
  all: (service: string) =>
    queryOptions({
      queryKey: ['reconcile', 'books', service],
      queryFn: () => reconcileStore.books(service),
      ...local,
    }),
  statements: ({ id, statements }: Book) =>
    queryOptions({
      queryKey: ['reconcile', 'statements', id, statements],
      queryFn: async () => (await reconcileStore.statements(id)).map(headOf).toReversed(),
      ...local,
    }),
};
