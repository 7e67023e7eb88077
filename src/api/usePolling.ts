import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { poll, type Polling } from './polling.ts';

/** Polls while the component is there and `enabled`; see poll(). */
export function usePolling({ due, read, enabled }: Polling & { enabled: boolean }): void {
  const dueNow = useEffectEvent(due);
  const readNow = useEffectEvent(read);
  useEffect(() => {
    if (!enabled) return undefined;
    const stop = new AbortController();
    void poll({ due: () => dueNow(), read: (signal) => readNow(signal) }, stop.signal);
    return () => stop.abort();
  }, [enabled]);
}

/** Stretches a pause a little, the same for as long as the component is there: tabs that were opened together drift apart. */
export function useDrift(): number {
  return useState(() => 0.85 + Math.random() * 0.3)[0];
}

export type Polled = Pick<UseQueryResult, 'dataUpdatedAt' | 'errorUpdatedAt' | 'isError' | 'refetch'>;

/**
 * Reads a query again in the background, about `pause` milliseconds after it was last read by anybody; the query itself
 * refetches neither by interval nor on focus. Without a session `enabled` is false, so a 401 ends it.
 */
export function usePolledQuery(query: Polled, pause: (failed: boolean) => number, enabled = true): void {
  // Taken apart while rendering: else the query would not know that they are wanted.
  const { dataUpdatedAt, errorUpdatedAt, isError, refetch } = query;
  const last = Math.max(dataUpdatedAt, errorUpdatedAt);
  const drift = useDrift();
  usePolling({
    enabled: enabled && last > 0,
    due: () => last + drift * pause(isError),
    read: () => refetch({ cancelRefetch: false }),
  });
}
