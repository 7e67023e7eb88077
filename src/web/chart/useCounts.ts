import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { createJob, type PagingJob } from '#src/web/api/paging/job.ts';
import type { Noun } from '#src/shared/text.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import { changeFilters } from '#src/web/list/filters/filterTable.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { dateOf, daysBefore } from '#src/shared/time.ts';
import { boundsOfDays } from '#src/shared/createdRange.ts';
import { useNow } from '#src/web/ui/useNow.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { type Countable, type Counted, countOn, newCount } from './counted.ts';
import { loadedWords } from './countWords.ts';

/** Pages counted when the chart opens; more only if the person asks. */
const PAGES_AT_ONCE = 20;
/** How long the count is cached after the chart was closed. */
const CACHE_MS = 30 * 60_000;

export interface CountSource extends Countable {
  noun: Noun;
  account: string;
  at: string;
}

interface Count {
  counted: Counted;
  /** The task to repeat on Retry. */
  task: Task;
  /** Stopped by the person: it does not start automatically again. */
  stopped: boolean;
}

interface Task {
  /** Pages in total, including those read before. */
  pages: number;
  /** Start again from the first page. */
  anew: boolean;
}

export type Counting = ReturnType<typeof useCounts>;

const FIRST: Task = { pages: PAGES_AT_ONCE, anew: false };

/** Counts the rows of these filters: the first pages automatically, the rest on request. Ends on other filters or unmounting. */
export function useCounts(source: CountSource, listFilters: PageFilters) {
  const zone = useZone();
  const { account, noun } = source;
  // Always newest first: both orders share one count, and new rows can't keep it going for ever.
  const dated = listFilters.created_after !== undefined || listFilters.created_before !== undefined;
  const recent = boundsOfDays({ from: daysBefore(dateOf(useNow(60), zone), 29), to: '' }, zone);
  const filters = changeFilters(
    { ...listFilters, ...(!dated && recent) },
    { order: undefined, sort: undefined, period: undefined },
  );
  // A function, because a count can't be shared: it remembers its ids.
  const emptyCount = () => newCount(filters, zone);
  const create = () => createJob<Count>({ counted: emptyCount(), task: FIRST, stopped: false });
  // Cached like responses of the service: cleared with the account, and found again by Back.
  const { data: job } = useQuery({
    queryKey: [account, noun.many, 'count', stringifyExact([filters, zone])],
    queryFn: create,
    initialData: create,
    staleTime: Infinity,
    gcTime: CACHE_MS,
  });
  const { running, error, progress } = useSyncExternalStore(job.subscribe, job.get);
  const isNew = progress.counted.pages === 0 && error === null && !progress.stopped;
  /** The last job with a result. */
  const [shown, setShown] = useState(job);
  if (!isNew && shown !== job) setShown(job);
  const former = isNew && shown !== job;

  const go = (task: Task): void =>
    void job.run(async (signal, show) => {
      const { counted } = job.get().progress;
      show({ counted, task, stopped: false });
      const from = task.anew ? emptyCount() : counted;
      await countOn(from, task.pages - from.pages, source, signal, (next) =>
        show({ counted: next, task: { ...task, anew: false }, stopped: false }),
      );
      announce(loadedWords(job.get().progress.counted));
    });
  const begins = ({ counted, stopped }: Count): boolean =>
    !stopped && counted.end === 'more' && counted.pages < PAGES_AT_ONCE;
  const begin = useEffectEvent((of: PagingJob<Count>) => {
    if (begins(of.get().progress)) go(FIRST);
  });
  useEffect(() => begin(job), [job]);

  return {
    counted: former ? shown.get().progress.counted : progress.counted,
    // True just before it starts automatically, too.
    running: running || (error === null && begins(progress)),
    error,
    /** Still the count of the previous filters, until the first page of these is read. */
    former,
    readOn: () => go({ pages: Infinity, anew: false }),
    /** Continues the failed task. */
    retry: () => go(progress.task),
    stop: () => job.reset((count) => ({ ...count, task: FIRST, stopped: true })),
    again: () => go({ ...FIRST, anew: true }),
  };
}
