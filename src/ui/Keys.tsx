import { useSyncExternalStore } from 'react';
import { createStore } from '#src/lib/store.ts';

/** A key, or two to be pressed one after the other: "G B". */
export function Keys({ keys, className }: { keys: string; className?: string }) {
  const [first, second] = keys.split(' ');
  return (
    <span className={className} aria-hidden>
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

/** Whether a key of one letter is text, belongs to a dialog or an open filter, or is switched off, and so is no command of the page. */
export function shouldIgnoreShortcut({ defaultPrevented, isComposing, target }: KeyboardEvent): boolean {
  if (!singleKeys.get() || defaultPrevented || isComposing || isOverlaid()) return true;
  if (document.querySelector('.filter-pop') !== null) return true;
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
