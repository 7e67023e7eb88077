import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

/** One key, or two pressed one after the other: "G B". */
export function Keys({ keys, className }: { keys: string; className?: string }) {
  const [first, second] = keys.split(' ');
  return (
    <span className={className} translate="no" aria-hidden>
      <kbd>{first}</kbd>
      {second !== undefined && <kbd>{second}</kbd>}
    </span>
  );
}

const singleKeys = createStore(true);

export const setSingleKeys = singleKeys.set;

export function useSingleKeys(): boolean {
  return useSyncExternalStore(singleKeys.subscribe, singleKeys.get);
}

/** Whether a dialog or menu is open and handles the keys. */
export function isOverlaid(): boolean {
  return document.querySelector('dialog[open], :popover-open') !== null;
}

/**
 * Hides key presses from the app while an input method composes a word, as they select its suggestions. Safari marks the
 * last one by its key code only.
 */
export function ignoreComposingKeys(): void {
  const stop = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === COMPOSING) event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', stop, { capture: true });
}

const COMPOSING = 229;

/** Single-key shortcuts are off in text fields, dialogs and open filters, and where the user disabled them. */
export function shouldIgnoreShortcut({ defaultPrevented, target }: KeyboardEvent): boolean {
  if (!singleKeys.get() || defaultPrevented || isOverlaid()) return true;
  if (document.querySelector('.filter > [aria-expanded="true"]') !== null) return true;
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
