import { type RefObject, useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/**
 * Moves the focus to the heading of the page, or of the detail that opened in it, so that a screen reader hears where
 * it is. Not on the first page, not where the page took the focus itself, not when only the search string changed.
 */
export function useFocusOnNavigation(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const type = useNavigationType();
  // Arriving from sign-in is a navigation too; the first page of a load is not.
  const last = useRef(type === NavigationType.Pop ? pathname : null);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    const focused = document.activeElement;
    if (focused?.closest('[data-keeps-focus]')) return;
    if (focused?.hasAttribute('autofocus')) return;
    const headings = main.current?.querySelectorAll<HTMLElement>('[data-page-title]');
    const heading = headings?.[headings.length - 1] ?? main.current;
    heading?.focus({ preventScroll: type === NavigationType.Pop });
  }, [pathname, type, main]);
}
