import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** From a part that goes away the focus goes to the place around it that takes it, else to the innermost heading. */
export function handOnFocus(from: HTMLElement): void {
  const headings = document.querySelectorAll<HTMLElement>('[data-page-title]');
  const place = from.closest<HTMLElement>('[data-takes-focus]') ?? headings[headings.length - 1];
  place?.focus({ preventScroll: true });
}

/** A part that goes away with the focus in it, as a button that worked, hands it on. */
export function useReturnFocus(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const here = part.current;
    return () => {
      if (here?.contains(document.activeElement) !== true) return;
      handOnFocus(here);
    };
  }, [part]);
}

export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

/**
 * Moves the focus to the page's heading when a step of the page takes the place of another; the first one has it from
 * the navigation. `onlyLost`: takes it from nobody, and does not scroll.
 */
export function useHeadingFocus(step: string, onlyLost = false): void {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    if (onlyLost && document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('main [data-page-title]')?.focus({ preventScroll: onlyLost });
  }, [step, onlyLost]);
}
