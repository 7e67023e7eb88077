import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

/** True once the first screen is painted, without its deferred parts. */
const painted = createStore(false);
let complete: () => void = () => undefined;

/** Resolves when the first screen is painted with its deferred parts. Other code and data load after that. */
export const firstPaint = new Promise<void>((resolve) => {
  complete = resolve;
});

/** A background tab paints nothing. */
const PAINT_TIMEOUT_MS = 500;

export function firstDrawn(): void {
  const rest = (): void => {
    if (painted.get()) return;
    painted.set(true);
    // A background task runs after the deferred parts are painted.
    if ('scheduler' in globalThis) void scheduler.postTask(complete, { priority: 'background' });
    else setTimeout(complete, 50);
  };
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(rest)));
  setTimeout(rest, PAINT_TIMEOUT_MS);
}

/** Defers parts that the first screen can do without; the layout must reserve their space. */
export function useFirstPainted(): boolean {
  return useSyncExternalStore(painted.subscribe, painted.get);
}
