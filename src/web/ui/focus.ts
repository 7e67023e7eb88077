import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Moves the focus from a part that disappears to the nearest `data-takes-focus` around it, else to the innermost heading. */
export function handOnFocus(from: HTMLElement): void {
  const headings = document.querySelectorAll<HTMLElement>('[data-page-title]');
  const target = from.closest<HTMLElement>('[data-takes-focus]') ?? headings[headings.length - 1];
  target?.focus({ preventScroll: true });
}

/** Moves the focus with handOnFocus() when the part unmounts while it has the focus. */
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

/** Moves the focus to the heading when `step` changes. `onlyLost`: only if nothing has the focus, and without scrolling. */
export function useHeadingFocus(step: string, onlyLost = false): void {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    if (onlyLost && document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('main [data-page-title]')?.focus({ preventScroll: onlyLost });
  }, [step, onlyLost]);
}
