import { useSyncExternalStore } from 'react';

let message = '';
const listeners = new Set<() => void>();

/** Says one sentence to screen readers; what matters also stands on the page. */
export function announce(text: string): void {
  // The same words again are announced again only if the text changes.
  message = message === text ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function LiveRegion() {
  const text = useSyncExternalStore(subscribe, () => message);
  return (
    <output aria-live="polite" className="vh">
      {text}
    </output>
  );
}
