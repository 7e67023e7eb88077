import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

/** A key, or two to be pressed one after the other: "G B". */
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

/** Whether a dialog or a menu is open over the page: keys are its own then. */
export function isOverlaid(): boolean {
  return document.querySelector('dialog[open], :popover-open') !== null;
}

/**
 * Keys that a person presses within a word of an input method choose and take what it offers: nothing here hears of them.
 * In Safari the last one is told by its code alone.
 */
export function ignoreComposingKeys(): void {
  const stop = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === COMPOSING) event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', stop, { capture: true });
}

const COMPOSING = 229;

/** Whether a key of one letter is text, belongs to a dialog or an open filter, or is switched off, and so is no command of the page. */
export function shouldIgnoreShortcut({ defaultPrevented, target }: KeyboardEvent): boolean {
  if (!singleKeys.get() || defaultPrevented || isOverlaid()) return true;
  if (document.querySelector('.filter > [aria-expanded="true"]') !== null) return true;
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
