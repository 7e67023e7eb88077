import {
  focusManager,
  onlineManager,
  type QueryKey,
  QueryObserver,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { wait } from './rateLimitPause.ts';
import { requestsMade } from '#src/web/api/requestLog.ts';

interface Polling {
  /** Names it, so that several parts of a page poll the same thing once. */
  key: QueryKey;
  /** When to read next, Unix milliseconds; asked again before the read, as a read made by a person counts too. */
  due: () => number;
  /** Errors are shown by the caller; after one, `due` must return a later time. */
  read: (signal: AbortSignal) => Promise<unknown>;
  enabled: boolean;
  takeTurn?: BackgroundSlot;
}

/** How often to look whether a read is due; milliseconds. */
const LOOK = { least: 1_000, most: 5_000 };
/** Tabs that were opened together drift apart. */
const DRIFT = 0.85 + Math.random() * 0.3;

let onlineAgainAt = 0;
onlineManager.subscribe((online) => {
  if (online) onlineAgainAt = Date.now();
});

/** A query without data: its interval calls `read` when due, one tab at a time, never in a hidden tab. */
export function pollOptions({ key, due, read, enabled, takeTurn = inBackgroundSlot }: Polling) {
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
  /** The dashboard's own server answers: the queue only protects the provider, and what a person watches would come last. */
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
    takeTurn: urgent || own ? atOnce : inBackgroundSlot,
  });
}

const atOnce: BackgroundSlot = async (_signal, read) => {
  await read().catch(() => undefined);
};

/** Milliseconds from one background request to the next over all tabs: fewer than one a second. */
const SPACING = 1_250;
/** Where tabs cannot know of each other, each takes the twentieth part. */
const SPACING_ALONE = 20 * SPACING;
/** A read that hangs holds the other tabs up no longer than this. */
const HOLD = 10_000;

/** Of one read. */
const MOST_TURNS = 10;

/** The part of a LockManager that turns need. */
export type RequestLock = (
  name: string,
  options: { signal: AbortSignal },
  work: () => Promise<void>,
) => Promise<unknown>;

/** Reads when it is this read's turn, and resolves when that read has ended, however; rejects when aborted before. */
export type BackgroundSlot = (signal: AbortSignal, read: () => Promise<unknown>) => Promise<void>;

/** Turns that every holder of the same lock takes; `requests` counts those that this tab has made so far. */
export function turnsBy(lock: RequestLock, spacing: number, requests: () => number): BackgroundSlot {
  return (signal, read) =>
    new Promise((resolve, reject) => {
      const work = async (): Promise<void> => {
        const before = requests();
        const began = performance.now();
        // The caller reports the error; its turn ends all the same.
        const reading = read().catch(() => undefined);
        void reading.then(() => resolve());
        await Promise.race([reading, wait(HOLD, undefined)]);
        // A read that was tried again, or had pages, used several turns; one that proved needless used none.
        // Long work in this tab makes requests of its own meanwhile.
        const made = Math.min(requests() - before, MOST_TURNS);
        const rest = made * spacing - (performance.now() - began);
        if (rest > 0) await wait(rest, undefined);
      };
      lock('background-read', { signal }, work).catch(reject);
    });
}

/** A lock that no other tab knows of. */
export function createTabLock(): RequestLock {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, { signal }, work) => {
    const mine = last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}

let ofBrowser: BackgroundSlot | null = null;

/** Background reads of all tabs of this browser take turns; what a person asks for never waits here. */
const inBackgroundSlot: BackgroundSlot = (signal, read) => {
  // On plain HTTP a browser has no locks. (Where it keeps a site from all storage it refuses them, and a session as well.)
  ofBrowser ??=
    'locks' in navigator
      ? turnsBy((name, options, work) => navigator.locks.request(name, options, work), SPACING, requestsMade)
      : turnsBy(createTabLock(), SPACING_ALONE, requestsMade);
  return ofBrowser(signal, read);
};
