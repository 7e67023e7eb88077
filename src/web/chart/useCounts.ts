import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { createJob, type Job } from '#src/web/api/paging/job.ts';
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
import { progressWords } from './countWords.ts';

/** Counted when the chart opens; more is the person's choice. */
const PAGES_AT_ONCE = 20;
/** How long an unmounted count is kept. */
const KEPT_MS = 30 * 60_000;

export interface CountSource extends Countable {
  noun: Noun;
  account: string;
  at: string;
}

interface Count {
  counted: Counted;
  /** For trying again. */
  task: Task;
  /** Stopped by the person: it does not start automatically again. */
  stopped: boolean;
}

interface Task {
  /** Pages in all, those read before included. */
  pages: number;
  /** From the first page, whatever was counted before. */
  anew: boolean;
}

export type Counting = ReturnType<typeof useCounts>;

const FIRST: Task = { pages: PAGES_AT_ONCE, anew: false };

/** Counts the rows of these filters: the first pages automatically, the rest on request. Other filters, or leaving, end it. */
export function useCounts(source: CountSource, listFilters: PageFilters) {
  const zone = useZone();
  const { account, noun } = source;
  // Always newest first: the same count for both orders, and new rows cannot make it endless.
  const dated = listFilters.created_after !== undefined || listFilters.created_before !== undefined;
  const recent = boundsOfDays({ from: daysBefore(dateOf(useNow(60), zone), 29), to: '' }, zone);
  const filters = changeFilters(
    { ...listFilters, ...(!dated && recent) },
    { order: undefined, sort: undefined, period: undefined },
  );
  // A new one each time: a count remembers its ids.
  const none = () => newCount(filters, zone);
  const create = () => createJob<Count>({ counted: none(), task: FIRST, stopped: false });
  // Cached like responses of the service: cleared with the account, and found again by Back.
  const { data: job } = useQuery({
    queryKey: [account, noun.many, 'count', stringifyExact([filters, zone])],
    queryFn: create,
    initialData: create,
    staleTime: Infinity,
    gcTime: KEPT_MS,
  });
  const { running, error, progress } = useSyncExternalStore(job.subscribe, job.get);
  const isNew = progress.counted.pages === 0 && error === null && !progress.stopped;
  /** The last one with a result. */
  const [shown, setShown] = useState(job);
  if (!isNew && shown !== job) setShown(job);
  const former = isNew && shown !== job;

  const go = (task: Task): void =>
    void job.run(async (signal, show) => {
      const { counted } = job.get().progress;
      show({ counted, task, stopped: false });
      const from = task.anew ? none() : counted;
      await countOn(from, task.pages - from.pages, source, signal, (next) =>
        show({ counted: next, task: { ...task, anew: false }, stopped: false }),
      );
      announce(progressWords(job.get().progress.counted));
    });
  const begins = ({ counted, stopped }: Count): boolean =>
    !stopped && counted.end === 'more' && counted.pages < PAGES_AT_ONCE;
  const begin = useEffectEvent((of: Job<Count>) => {
    if (begins(of.get().progress)) go(FIRST);
  });
  useEffect(() => begin(job), [job]);

  return {
    counted: former ? shown.get().progress.counted : progress.counted,
    // Also just before it starts automatically.
    running: running || (error === null && begins(progress)),
    error,
    /** Still the count of the previous filters, until the first page of these is read. */
    former,
    readOn: () => go({ pages: Infinity, anew: false }),
    /** Continues after an error, as far as it was meant to go. */
    retry: () => go(progress.task),
    stop: () => job.reset((count) => ({ ...count, task: FIRST, stopped: true })),
    again: () => go({ ...FIRST, anew: true }),
  };
}
