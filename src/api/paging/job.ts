import { useState, useSyncExternalStore } from 'react';
import { createStore, type Store } from '#src/lib/store.ts';

export interface JobState<P> {
  running: boolean;
  /** As far as it came; kept after an error, so that another run can go on from there. */
  progress: P;
  /** What the last run threw; null while none has failed. */
  error: unknown;
}

export interface Job<P> extends Pick<Store<JobState<P>>, 'get' | 'subscribe'> {
  /** Begins the work; a run under way is aborted. What it throws is kept in the state, unless it was aborted. */
  run: (work: (signal: AbortSignal, show: (progress: P) => void) => Promise<void>) => Promise<void>;
  /** Aborts the run; its progress stays. */
  cancel: () => void;
  /** Aborts the run and begins from this progress. */
  reset: (progress: P) => void;
}

/** Long work of one kind, one run at a time. It is cancelled when nobody looks any more. */
export function createJob<P>(initial: P): Job<P> {
  let stop: AbortController | null = null;
  const state = createStore<JobState<P>>(
    { running: false, progress: initial, error: null },
    { onSubscribed: () => cancel },
  );
  const change = (part: Partial<JobState<P>>): void => state.set({ ...state.get(), ...part });
  const cancel = (): void => {
    stop?.abort();
    if (state.get().running) change({ running: false });
  };
  return {
    get: state.get,
    subscribe: state.subscribe,
    cancel,
    reset: (progress) => {
      cancel();
      change({ progress, error: null });
    },
    run: async (work) => {
      cancel();
      const { signal } = (stop = new AbortController());
      change({ running: true, error: null });
      try {
        await work(signal, (progress) => {
          if (!signal.aborted) change({ progress });
        });
        if (!signal.aborted) change({ running: false });
      } catch (error) {
        if (!signal.aborted) change({ running: false, error });
      }
    },
  };
}

/** A job of this part of the page; leaving the page cancels it. */
export function useJob<P>(initial: P): JobState<P> & { job: Job<P> } {
  const [job] = useState(() => createJob(initial));
  return { ...useSyncExternalStore(job.subscribe, job.get), job };
}
