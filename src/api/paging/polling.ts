import {
  focusManager,
  onlineManager,
  type QueryKey,
  QueryObserver,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { inTurn, type TakeTurn } from './crossTabPacing.ts';

interface Polling {
  /** Names it, so that several parts of a page poll the same thing once. */
  key: QueryKey;
  /** When to read next, Unix milliseconds; asked again before the read, as a read made by a person counts too. */
  due: () => number;
  /** Its failure is its owner's to show; `due` must move on after one too. */
  read: (signal: AbortSignal) => Promise<unknown>;
  enabled: boolean;
  takeTurn?: TakeTurn;
}

/** How often to look whether a read is due; milliseconds. */
const LOOK = { least: 1_000, most: 5_000 };
/** Tabs that were opened together drift apart. */
const DRIFT = 0.85 + Math.random() * 0.3;

let onlineAgainAt = 0;
onlineManager.subscribe((online) => {
  if (online) onlineAgainAt = Date.now();
});

/** A query that holds nothing: its interval reads something else whenever that is due, in turn, never in a hidden tab. */
export function pollOptions({ key, due, read, enabled, takeTurn = inTurn }: Polling) {
  const isDue = (): boolean => focusManager.isFocused() && due() <= Date.now();
  return queryOptions({
    queryKey: ['poll', ...key],
    queryFn: async ({ signal }) => {
      // Its turn may come late.
      const readIfDue = async () => (isDue() && !signal.aborted ? read(signal) : undefined);
      if (isDue()) await takeTurn(signal, readIfDue);
      return null;
    },
    enabled,
    initialData: null,
    refetchOnMount: false,
    refetchInterval: () => Math.min(Math.max(due() - Date.now(), LOOK.least), LOOK.most),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    networkMode: 'always',
    retry: false,
    gcTime: 0,
  });
}

/** Polls while the component is there and `enabled`; see pollOptions(). */
export function usePolling(polling: Polling): void {
  const client = useQueryClient();
  // Nothing of it is drawn, so it is no part of the rendering: made after it, and changed without another one.
  const observer = useRef<Observer>(null);
  useEffect(() => {
    const options = pollOptions(polling);
    if (observer.current) observer.current.setOptions(options);
    else observer.current = new QueryObserver(client, options);
  });
  useEffect(() => observer.current?.subscribe(() => undefined), []);
}

type Observer = QueryObserver<null, Error, null, null, unknown[]>;

/** `pause` milliseconds after `last`, at once when the network came back since. */
export function dueAfter(last: number, pause: number): number {
  const next = last + DRIFT * pause;
  return onlineAgainAt > last ? Math.min(onlineAgainAt, next) : next;
}

interface PollOptions {
  enabled?: boolean;
  /** Something moves while a person watches: it waits for no other tab. */
  urgent?: boolean;
  /** The dashboard's own server answers: turns only spare the provider, and what a person watches would come last. */
  own?: boolean;
}

/** Reads a query again in the background, `pause` milliseconds after it was last read by anybody. */
export function usePolledQuery(
  queryKey: QueryKey,
  pause: (failed: boolean) => number,
  { enabled = true, urgent = false, own = false }: PollOptions = {},
): void {
  const client = useQueryClient();
  usePolling({
    key: queryKey,
    due: () => {
      const { dataUpdatedAt = 0, errorUpdatedAt = 0, status } = client.getQueryState(queryKey) ?? {};
      const last = Math.max(dataUpdatedAt, errorUpdatedAt);
      if (last === 0) return Infinity;
      const ms = pause(status === 'error');
      return urgent ? last + ms : dueAfter(last, ms);
    },
    read: () => client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false }),
    enabled,
    ...((urgent || own) && { takeTurn: atOnce }),
  });
}

const atOnce: TakeTurn = async (_signal, read) => {
  await read().catch(() => undefined);
};
