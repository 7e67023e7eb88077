/** A value that parts of the page share. Read it in React with `useSyncExternalStore(store.subscribe, store.get)`. */
export type Store<T> = ReturnType<typeof createStore<T>>;

/** `onSubscribed` runs with the first subscriber, and the function it returns after the last one left. */
export function createStore<T>(initial: T, { onSubscribed }: { onSubscribed?: () => () => void } = {}) {
  let value = initial;
  let stop: (() => void) | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next: T) => {
      if (Object.is(value, next)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      if (listeners.size === 0) stop = onSubscribed?.();
      listeners.add(listener);
      return () => {
        // Unsubscribing twice counts once.
        if (listeners.delete(listener) && listeners.size === 0) stop?.();
      };
    },
  };
}
