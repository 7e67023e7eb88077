import { useEffect, useRef } from 'react';

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
