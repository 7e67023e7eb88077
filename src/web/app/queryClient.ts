import { type Query, QueryClient } from '@tanstack/react-query';
import { getSession, ownerOf, subscribeSession } from '#src/web/api/session.ts';

/** When each query had last failed at the time its last observer left; Unix ms. */
const failureShownAt = new WeakMap<Query, number>();

/**
 * Reads retry in api/ and writes never retry here; offline fails at once instead of waiting. Queries that refetch by
 * themselves opt in with POLLED; no other query refetches on focus.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // A page shows a request that failed before it rendered, without repeating it; reopening the page repeats it.
      retryOnMount: (query) => {
        const { errorUpdatedAt } = query.state;
        return failureShownAt.get(query) === errorUpdatedAt || Date.now() - errorUpdatedAt > 2_000;
      },
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'observerRemoved') failureShownAt.set(query, query.state.errorUpdatedAt);
});

let owner = ownerOf(getSession());

/** Clears the cache when the account or person changes or signs out, in every tab. */
subscribeSession(() => {
  const next = ownerOf(getSession());
  if (next === owner) return;
  owner = next;
  queryClient.clear();
});
