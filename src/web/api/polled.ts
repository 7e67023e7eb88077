/** For queries with a refetchInterval, which is not followed in hidden tabs: refetch when the tab is shown again. */
export const POLLED = { refetchOnWindowFocus: true, refetchOnReconnect: 'always' } as const;
