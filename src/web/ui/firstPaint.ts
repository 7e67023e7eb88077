import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

/** The first screen is painted, without what it can be read without. */
const painted = createStore(false);
let complete: () => void = () => undefined;

/** The first screen is painted and complete: what it does not show is read from then on. */
export const firstPaint = new Promise<void>((resolve) => {
  complete = resolve;
});

/** Where nothing is painted, as in a tab in the background; milliseconds. */
const UNSEEN = 500;

export function firstDrawn(): void {
  const rest = (): void => {
    if (painted.get()) return;
    painted.set(true);
    // Tasks of the lowest rank come after what was just drawn is painted.
    if ('scheduler' in globalThis) void scheduler.postTask(complete, { priority: 'background' });
    else setTimeout(complete, 50);
  };
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(rest)));
  setTimeout(rest, UNSEEN);
}

/** What the first screen can be read without is drawn after it: its place has to be there before. */
export function useFirstPainted(): boolean {
  return useSyncExternalStore(painted.subscribe, painted.get);
}
