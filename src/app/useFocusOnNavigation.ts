import { type RefObject, useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/**
 * Moves the focus to the heading of the page, or of the detail that opened in it, so that a screen reader hears where
 * it is; closing a detail gives it back to its row. Not on the first page, not where the page took
 * the focus itself, not when only the search string changed.
 */
export function useFocusOnNavigation(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const type = useNavigationType();
  // Arriving from sign-in is a navigation too; the first page of a load is not.
  const last = useRef(type === NavigationType.Pop ? pathname : null);
  useEffect(() => {
    const before = last.current;
    if (before === pathname) return;
    last.current = pathname;
    const focused = document.activeElement;
    if (focused?.closest('[data-keeps-focus]')) return;
    if (focused?.hasAttribute('autofocus')) return;
    const row = before?.startsWith(`${pathname}/`) ? rowLinkTo(before, main.current) : undefined;
    if (row) {
      row.focus({ preventScroll: true });
      return;
    }
    const headings = main.current?.querySelectorAll<HTMLElement>('[data-page-title]');
    const heading = headings?.[headings.length - 1] ?? main.current;
    heading?.focus({ preventScroll: type === NavigationType.Pop });
  }, [pathname, type, main]);
}

/** The link of the row that leads to a path, undefined when that row is not there or out of sight. */
function rowLinkTo(path: string, within: HTMLElement | null): HTMLAnchorElement | undefined {
  const links = within?.querySelectorAll<HTMLAnchorElement>('a[data-row-link]') ?? [];
  return [...links].find((link) => link.pathname === path && link.checkVisibility());
}
