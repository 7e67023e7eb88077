import { useState, useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

const message = createStore('');

/** Says one sentence to screen readers; what matters also stands on the page. */
export function announce(text: string): void {
  // The same words again are announced again only if the text changes.
  message.set(message.get() === text ? `${text}\u00a0` : text);
}

/** Says what is announced from now on. A modal dialog has one of its own: nothing outside of it is heard. */
export function LiveRegion() {
  const text = useSyncExternalStore(message.subscribe, message.get);
  const [before] = useState(text);
  return (
    <output aria-live="polite" className="vh">
      {text === before ? '' : text}
    </output>
  );
}
