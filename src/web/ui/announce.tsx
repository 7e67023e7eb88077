import { useState, useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

const message = createStore('');

/** Announces a sentence to screen readers. Anything important must also be on the page. */
export function announce(text: string): void {
  // Screen readers announce the same words again only if the text differs.
  message.set(message.get() === text ? `${text}\u00a0` : text);
}

/** Reads out announcements from now on. A modal dialog needs its own: everything outside is inert. */
export function LiveRegion() {
  const text = useSyncExternalStore(message.subscribe, message.get);
  const [before] = useState(text);
  return (
    <output aria-live="polite" className="vh">
      {text === before ? '' : text}
    </output>
  );
}
