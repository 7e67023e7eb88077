import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ListFilters } from '#src/api/contract.ts';
import type { Noun } from '#src/lib/count.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { withoutFilters } from '#src/list/filterCodec.ts';
import { announce } from '#src/ui/announce.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { type Counted, newCount } from './counted.ts';
import { type Countable, countOn } from './countOn.ts';
import { progressWords } from './countWords.ts';

/** Read when the chart opens; the rest is the person's choice. */
const PAGES_AT_ONCE = 20;
/** How long a count that is out of sight can be come back to. */
const KEPT_MS = 30 * 60_000;

export interface CountSource extends Countable {
  noun: Noun;
  account: string;
}

/** What is going on with a count. */
interface Run {
  running: boolean;
  error: unknown;
  /** Where it was to go, for trying again. */
  task: Task;
  /** By the person: then it does not begin by itself again. */
  stopped?: boolean;
}

interface Task {
  /** Pages in all, those read before included. */
  pages: number;
  /** From the first page, whatever was counted before. */
  anew: boolean;
}

export interface Counting {
  counted: Counted;
  running: boolean;
  error: unknown;
  /** Still the count of the filters before, until the first page of these is read. */
  former: boolean;
  readOn: () => void;
  /** Goes on where an error stopped it, as far as it was to go. */
  retry: () => void;
  stop: () => void;
  again: () => void;
}

const FIRST: Task = { pages: PAGES_AT_ONCE, anew: false };
const IDLE: Run = { running: false, error: null, task: FIRST };

/** Counts the rows of these filters: a first part by itself, the rest when asked. Other filters, and leaving, end the reading. */
export function useCounts(source: CountSource, listFilters: ListFilters): Counting {
  const zone = useZone();
  const { account, noun } = source;
  const queryClient = useQueryClient();
  // Always newest first: the same count for both orders, and new rows cannot make it endless.
  const filters: ListFilters = withoutFilters(listFilters, ['order']);
  const which = stringifyExact([filters, zone]);
  // Kept like answers of the service: they go with the account, and Back finds them again.
  const keyOf = (what: 'count' | 'run', of: string) => [account, noun.many, what, of];
  const options = { queryFn: skipToken, staleTime: Infinity, gcTime: KEPT_MS, structuralSharing: false } as const;
  const count = useQuery<Counted>({
    ...options,
    queryKey: keyOf('count', which),
    placeholderData: keepPreviousData,
  });
  const run = useQuery<Run>({ ...options, queryKey: keyOf('run', which) }).data ?? IDLE;
  // Each its own: a count remembers the ids that it has seen.
  const none = () => newCount(filters, zone);
  const abort = useRef<AbortController | null>(null);
  const counted = (of: string) => queryClient.getQueryData<Counted>(keyOf('count', of)) ?? none();
  const note = (of: string, run: Run) => void queryClient.setQueryData<Run>(keyOf('run', of), run);

  const go = async (of: string, task: Task): Promise<void> => {
    abort.current?.abort();
    const { signal } = (abort.current = new AbortController());
    const from = task.anew ? none() : counted(of);
    note(of, { running: true, error: null, task });
    let left = task;
    try {
      await countOn(from, task.pages - from.pages, source, signal, (next) => {
        queryClient.setQueryData(keyOf('count', of), next);
        left = { ...task, anew: false };
      });
      note(of, IDLE);
      announce(progressWords(counted(of)));
    } catch (error) {
      if (!signal.aborted) note(of, { running: false, error, task: left });
    }
  };
  const begin = useEffectEvent((of: string) => {
    const { end, pages } = counted(of);
    if (run.stopped || end !== 'more' || pages >= PAGES_AT_ONCE) return;
    void go(of, FIRST);
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
  const shown = count.data === undefined || (count.isPlaceholderData && !former) ? none() : count.data;
  const begins = former || (shown.end === 'more' && shown.pages < PAGES_AT_ONCE && run.error === null && !run.stopped);
  return {
    counted: shown,
    // Also in the moment before it begins by itself.
    running: run.running || begins,
    error: run.error,
    former,
    readOn: () => void go(which, { pages: Infinity, anew: false }),
    retry: () => void go(which, run.task),
    stop: () => {
      abort.current?.abort();
      note(which, { ...IDLE, stopped: true });
      // Stopped before its first page it is a count of nothing, and no longer the one before.
      queryClient.setQueryData(keyOf('count', which), counted(which));
    },
    again: () => void go(which, { ...FIRST, anew: true }),
  };
}
