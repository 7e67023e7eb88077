import { useState, useSyncExternalStore } from 'react';
import { createStore, type Store } from '#src/web/ui/store.ts';

export interface PagingJobState<P> {
  running: boolean;
  /** Kept after an error, so that another run can continue from it. */
  progress: P;
  /** Error of the last run; null if it didn't fail. */
  error: unknown;
}

export interface PagingJob<P> extends Pick<Store<PagingJobState<P>>, 'get' | 'subscribe'> {
  /**
   * Begins the work; a run under way is aborted. Its error is kept in the state, unless it was aborted. Its progress is
   * stored at once; subscribers are notified a few times a second.
   */
  run: (work: (signal: AbortSignal, show: (progress: P) => void) => Promise<void>) => Promise<void>;
  /** Aborts the run; its progress stays. */
  cancel: () => void;
  /** Aborts the run and restarts from `from(progress)`; the progress may be further than what subscribers received. */
  reset: (from: (progress: P) => P) => void;
}

/** Pages arrive every few milliseconds; rendering each would take longer than reading it. */
const NOTIFY_INTERVAL_MS = 250;

/** Long work of one kind, one run at a time. Cancelled when the last subscriber leaves. */
export function createJob<P>(initial: P): PagingJob<P> {
  let stop: AbortController | null = null;
  let now: PagingJobState<P> = { running: false, progress: initial, error: null };
  const published = createStore(now, { onSubscribed: () => cancel });
  let publishedAt = -Infinity;
  let later: ReturnType<typeof setTimeout> | undefined;
  const publish = (): void => {
    clearTimeout(later);
    later = undefined;
    publishedAt = performance.now();
    published.set(now);
  };
  const change = (part: Partial<PagingJobState<P>>): void => {
    now = { ...now, ...part };
    publish();
  };
  const cancel = (): void => {
    stop?.abort();
    if (now.running) change({ running: false });
  };
  return {
    get: () => now,
    subscribe: published.subscribe,
    cancel,
    reset: (from) => {
      cancel();
      change({ progress: from(now.progress), error: null });
    },
    run: async (work) => {
      cancel();
      const mine = (stop = new AbortController());
      const { signal } = mine;
      change({ running: true, error: null });
      try {
        await work(signal, (progress) => {
          if (signal.aborted) return;
          now = { ...now, progress };
          if (performance.now() - publishedAt >= NOTIFY_INTERVAL_MS) publish();
          else later ??= setTimeout(publish, NOTIFY_INTERVAL_MS);
        });
        if (!signal.aborted) change({ running: false });
      } catch (error) {
        if (signal.aborted) return;
        // Ends parallel requests of the same run.
        mine.abort();
        change({ running: false, error });
      }
    },
  };
}

/** A job that belongs to the calling component; unmounting cancels it. */
export function useJob<P>(initial: P): PagingJobState<P> & { job: PagingJob<P> } {
  const [job] = useState(() => createJob(initial));
  return { ...useSyncExternalStore(job.subscribe, job.get), job };
}
