import { useSyncExternalStore } from 'react';
import { createStore } from '#src/lib/store.ts';

const message = createStore('');

/** Says one sentence to screen readers; what matters also stands on the page. */
export function announce(text: string): void {
  // The same words again are announced again only if the text changes.
  message.set(message.get() === text ? `${text}\u00a0` : text);
}

export function LiveRegion() {
  return (
    <output aria-live="polite" className="vh">
      {useSyncExternalStore(message.subscribe, message.get)}
    </output>
  );
}
