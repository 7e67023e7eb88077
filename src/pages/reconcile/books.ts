import { queryOptions } from '@tanstack/react-query';
import type { Book } from '#src/remembered/reconcileBook.ts';
import { reconcileStore } from './store.ts';

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
      queryFn: async () => (await reconcileStore.heads(id)).toReversed(),
      ...local,
    }),
};
