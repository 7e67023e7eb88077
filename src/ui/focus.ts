import { type RefObject, useLayoutEffect } from 'react';

/** A part that goes away with the focus in it, as a button that worked, hands the focus to the heading, not to nowhere. */
export function useReturnFocus(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const here = part.current;
    return () => {
      if (here?.contains(document.activeElement) !== true) return;
      const headings = document.querySelectorAll<HTMLElement>('[data-page-title]');
      headings[headings.length - 1]?.focus({ preventScroll: true });
    };
  }, [part]);
}

/** A `ref` that takes the focus when its element appears. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
