import { QueryClient } from '@tanstack/react-query';
import { getSession, subscribeSession } from '#src/api/session.ts';

/**
 * Reads retry in api/ and writes never retry here; offline fails at once instead of waiting to fire later. What is read
 * without being asked for is read in turn (polling.ts), not by every tab at once when it is shown.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 10_000, refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
});

let account = getSession()?.account;

/** What was read for one account is gone before another one, or nobody, is signed in, in every tab. */
subscribeSession(() => {
  const next = getSession()?.account;
  if (next === account) return;
  account = next;
  queryClient.clear();
});
