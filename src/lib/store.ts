/** One value that parts of the page share: read it in React with `useSyncExternalStore(store.subscribe, store.get)`. */
export interface Store<T> {
  get: () => T;
  set: (next: T) => void;
  subscribe: (listener: () => void) => () => void;
}

interface Subscribed {
  /** Called with the first subscriber; what it returns, after the last has left. */
  onSubscribed?: () => () => void;
}

export function createStore<T>(initial: T, { onSubscribed }: Subscribed = {}): Store<T> {
  let value = initial;
  let stop: (() => void) | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(value, next)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      if (listeners.size === 0) stop = onSubscribed?.();
      listeners.add(listener);
      return () => {
        // Leaving twice is leaving once.
        if (listeners.delete(listener) && listeners.size === 0) stop?.();
      };
    },
  };
}
