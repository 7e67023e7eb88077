import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * A row keeps the focus when other columns replace its link: a panel that closes beside the list makes it wider, and
 * then the id is the link and no longer the time.
 */
export function useKeepFocus(scroller: RefObject<HTMLElement | null>, columns: readonly object[]): void {
  const row = useRef<string | null>(null);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const take = ({ target }: FocusEvent): void => {
      row.current = (target instanceof Element && target.closest('[data-at]')?.getAttribute('data-at')) || null;
    };
    // To nowhere: its element may just have been replaced.
    const leave = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget !== null) row.current = null;
    };
    element.addEventListener('focusin', take);
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('focusin', take);
      element.removeEventListener('focusout', leave);
    };
  }, [scroller]);
  const before = useRef(columns);
  useLayoutEffect(() => {
    if (before.current === columns) return;
    before.current = columns;
    if (row.current === null || document.activeElement !== document.body) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-at="${row.current}"] [data-row-link]`);
    link?.focus({ preventScroll: true });
  });
}
