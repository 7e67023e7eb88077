/** For queries with a refetchInterval: it passes in hidden tabs without a read, which is made up for when they are shown. */
export const POLLED = { refetchOnWindowFocus: true, refetchOnReconnect: 'always' } as const;
