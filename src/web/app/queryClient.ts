import { type Query, QueryClient } from '@tanstack/react-query';
import { getSession, subscribeSession } from '#src/web/api/session.ts';

/** When a query had failed last while a part of a page showed it that is gone now. */
const shownAt = new WeakMap<Query, number>();

/**
 * Reads retry in api/ and writes never retry here; offline fails at once instead of waiting to fire later. What is read
 * without being asked for is read in turn (polling.ts), not by every tab at once when it is shown.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // What failed before its page was drawn is told there, not asked for a second time; whoever comes back asks again.
      retryOnMount: (query) => {
        const { errorUpdatedAt } = query.state;
        return shownAt.get(query) === errorUpdatedAt || Date.now() - errorUpdatedAt > 2_000;
      },
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'observerRemoved') shownAt.set(query, query.state.errorUpdatedAt);
});

let account = getSession()?.account;

/** What was read for one account is gone before another one, or nobody, is signed in, in every tab. */
subscribeSession(() => {
  const next = getSession()?.account;
  if (next === account) return;
  account = next;
  queryClient.clear();
});
