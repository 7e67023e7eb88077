import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/**
 * Moves the focus to the heading of the page, or of the detail that opened in it, for screen readers. Closing a detail
 * moves it back to its row. Not on the first page, not if the page set the focus itself, and not if only the search
 * string changed.
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
    const links = main.current?.querySelectorAll<HTMLAnchorElement>('a[data-row-link]') ?? [];
    const row = before?.startsWith(`${pathname}/`)
      ? [...links].find((link) => link.pathname === before && link.checkVisibility())
      : undefined;
    if (row) {
      row.focus({ preventScroll: true });
      return;
    }
    const headings = main.current?.querySelectorAll<HTMLElement>('[data-page-title]');
    const heading = headings?.[headings.length - 1] ?? main.current;
    heading?.focus({ preventScroll: type === NavigationType.Pop });
  }, [pathname, type, main]);
}

/** The window's scroll position by the key of the history entry. */
const positions = new Map<string, number>();

/**
 * A new page starts at its top, and going back restores the position; new filters don't scroll. React Router's
 * ScrollRestoration needs a data router, which adds 14 kB to every page.
 */
export function useWindowScroll(): void {
  const { key, pathname } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const last = useRef(pathname);
  useLayoutEffect(() => {
    window.history.scrollRestoration = 'manual';
    // On a reload the browser restores the position.
    const leave = () => (window.history.scrollRestoration = 'auto');
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, []);
  useLayoutEffect(() => {
    const isOtherPage = last.current !== pathname;
    last.current = pathname;
    const before = positions.get(key);
    if (isBack && before !== undefined) window.scrollTo(0, before);
    else if (isOtherPage) window.scrollTo(0, 0);
    const save = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', save, { passive: true });
    return () => window.removeEventListener('scroll', save);
  }, [key, pathname, isBack]);
}
