import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ListFilters } from '#src/api/contract.ts';
import { withoutFilters } from '#src/list/filterCodec.ts';
import { announce } from '#src/ui/announce.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { type Counted, newCount } from './counted.ts';
import { countOn, type ReadRows } from './countOn.ts';
import { type Noun, progressWords } from './countWords.ts';

/** Read when the chart opens; the rest is the person's choice. */
const PAGES_AT_ONCE = 20;
/** How long a count that is out of sight can be come back to. */
const KEPT_MS = 30 * 60_000;

export interface CountSource {
  noun: Noun;
  account: string;
  readPage: ReadRows;
}

/** What is going on with a count. */
interface Run {
  running: boolean;
  error: unknown;
  /** By the person: then it does not begin by itself again. */
  stopped?: boolean;
}

export interface Counting extends Omit<Run, 'stopped'> {
  counted: Counted;
  /** Still the count of the filters before, until the first page of these is read. */
  former: boolean;
  readOn: () => void;
  stop: () => void;
  again: () => void;
}

const IDLE: Run = { running: false, error: null };

/** Counts the rows of these filters: a first part by itself, the rest when asked. Other filters, and leaving, end the reading. */
export function useCounts({ account, noun, readPage }: CountSource, listFilters: ListFilters): Counting {
  const zone = useZone();
  const queryClient = useQueryClient();
  // Always newest first: the same count for both orders, and new rows cannot make it endless.
  const filters: ListFilters = withoutFilters(listFilters, ['order']);
  const which = JSON.stringify([filters, zone]);
  // Kept like answers of the service: they go with the account, and Back finds them again.
  const keyOf = (what: 'count' | 'run', of: string) => [account, noun.many, what, of];
  const options = { queryFn: skipToken, staleTime: Infinity, gcTime: KEPT_MS, structuralSharing: false } as const;
  const count = useQuery<Counted>({
    ...options,
    queryKey: keyOf('count', which),
    placeholderData: keepPreviousData,
  });
  const run = useQuery<Run>({ ...options, queryKey: keyOf('run', which) }).data ?? IDLE;
  const none = newCount(filters, zone);
  const abort = useRef<AbortController | null>(null);
  const counted = (of: string) => queryClient.getQueryData<Counted>(keyOf('count', of)) ?? none;
  const note = (of: string, run: Run) => void queryClient.setQueryData<Run>(keyOf('run', of), run);

  const go = async (of: string, from: Counted, pages: number): Promise<void> => {
    abort.current?.abort();
    const { signal } = (abort.current = new AbortController());
    note(of, { running: true, error: null });
    try {
      await countOn(from, pages, readPage, signal, (next) => queryClient.setQueryData(keyOf('count', of), next));
      note(of, IDLE);
      announce(progressWords(counted(of)));
    } catch (error) {
      if (!signal.aborted) note(of, { running: false, error });
    }
  };
  const begin = useEffectEvent((of: string) => {
    const { end, pages } = counted(of);
    if (run.stopped || end !== 'more' || pages >= PAGES_AT_ONCE) return;
    void go(of, counted(of), PAGES_AT_ONCE - pages);
  });
  const end = useEffectEvent((of: string) => {
    abort.current?.abort();
    if (queryClient.getQueryData<Run>(keyOf('run', of))?.running) note(of, IDLE);
  });
  useEffect(() => {
    begin(which);
    return () => end(which);
  }, [which]);

  const former = count.isPlaceholderData && run.error === null;
  const shown = count.data === undefined || (count.isPlaceholderData && !former) ? none : count.data;
  const begins = former || (shown.end === 'more' && shown.pages < PAGES_AT_ONCE && run.error === null && !run.stopped);
  return {
    counted: shown,
    // Also in the moment before it begins by itself.
    running: run.running || begins,
    error: run.error,
    former,
    readOn: () => void go(which, counted(which), Infinity),
    stop: () => {
      abort.current?.abort();
      note(which, { ...IDLE, stopped: true });
      // Stopped before its first page it is a count of nothing, and no longer the one before.
      queryClient.setQueryData(keyOf('count', which), counted(which));
    },
    again: () => void go(which, none, PAGES_AT_ONCE),
  };
}
