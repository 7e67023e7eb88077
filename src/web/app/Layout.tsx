import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType, Link, Outlet } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { Mark } from '#src/web/ui/Mark.tsx';
import { Menu, Search, X } from 'lucide-react';
import { usePreferences } from '#src/web/storage/preferences.ts';
import { AmountsHiddenContext } from '#src/web/ui/Amount.tsx';
import { LiveRegion } from '#src/web/ui/announce.tsx';
import { useFirstPainted } from '#src/web/ui/firstPaint.ts';
import { IconButton } from '#src/web/ui/Button.tsx';
import { ZoneContext } from '#src/web/ui/Time.tsx';
import { isOverlaid } from '#src/web/ui/Keys.tsx';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { FindButton, type Overlay, Overlays } from './CommandPaletteHost.tsx';
import { AccountMenu, EnvironmentBadge } from './AccountMenu.tsx';
import { MainNav } from './MainNav.tsx';
import { keysTo } from './places.ts';
import { OperationsBanner } from './OperationsBanner.tsx';

const TipLayer = deferred(() => import('#src/web/ui/TipLayer.tsx').then((read) => read.TipLayer));

export function Layout() {
  const firstPainted = useFirstPainted();
  const { zone, hideAmounts } = usePreferences();
  const { pathname } = useLocation();
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main);
  useScrollRestoration();
  // Open only on the page where it was opened: going anywhere closes it.
  const menuOpen = menuAt === pathname;
  // The link that was followed goes out of sight, also where it leads nowhere else.
  const closeMenu = () => {
    if (menuOpen) menuButton.current?.focus();
    setMenuAt(null);
  };
  const find = () => setOverlay('find');

  useEffect(() => {
    if (!menuOpen) return undefined;
    const narrow = window.matchMedia('(max-width: 56rem)');
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isOverlaid()) return;
      setMenuAt(null);
      menuButton.current?.focus();
    };
    const over = new AbortController();
    narrow.addEventListener('change', () => setMenuAt(null), { signal: over.signal });
    document.addEventListener('keydown', close, { signal: over.signal });
    return () => over.abort();
  }, [menuOpen]);

  return (
    <ZoneContext value={zone}>
      <AmountsHiddenContext value={hideAmounts}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <div className="shell">
          <header className="topbar">
            <div className="topbar-who">
              <Brand />
              <EnvironmentBadge />
            </div>
            <IconButton label="Search" onClick={find}>
              <Search aria-hidden />
            </IconButton>
            <button
              ref={menuButton}
              type="button"
              className="icon-btn"
              aria-label="Menu"
              aria-expanded={menuOpen}
              aria-controls="spine"
              onClick={() => setMenuAt(menuOpen ? null : pathname)}
            >
              {menuOpen ? <X aria-hidden /> : <Menu aria-hidden />}
            </button>
          </header>
          <aside className="spine" id="spine" aria-label="Index" data-open={menuOpen || undefined}>
            <div className="spine-head">
              <Brand />
              <EnvironmentBadge />
            </div>
            {firstPainted && (
              <>
                <FindButton onFind={find} />
                <MainNav onGo={closeMenu} />
                <AccountMenu onShortcuts={() => setOverlay('keys')} />
              </>
            )}
          </aside>
          <div className="banner-place" inert={menuOpen}>
            <OperationsBanner />
          </div>
          <main className="main" id="main" tabIndex={-1} ref={main} inert={menuOpen}>
            <Outlet />
          </main>
        </div>
        <Overlays overlay={overlay} onOverlay={setOverlay} />
        <LiveRegion />
        <TipLayer keysTo={keysTo} />
      </AmountsHiddenContext>
    </ZoneContext>
  );
}

function Brand() {
  return (
    <Link className="brand" translate="no" to={paths.home} aria-label="Countinghouse, home">
      <Mark />
      Countinghouse
    </Link>
  );
}

/**
 * Moves the focus to the heading of the page, or of the detail that opened in it, so that a screen reader hears where
 * it is; closing a detail gives it back to its row. Not on the first page, not where the page took
 * the focus itself, not when only the search string changed.
 */
function useFocusOnNavigation(main: RefObject<HTMLElement | null>): void {
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

/** How far down the window was, by entry of the history. */
const positions = new Map<string, number>();

/** Another page begins at its top; one that somebody comes back to is where it was. Other filters move nothing. */
function useScrollRestoration(): void {
  const { key, pathname } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const last = useRef(pathname);
  useLayoutEffect(() => {
    window.history.scrollRestoration = 'manual';
    // Whoever loads the page again finds it where it was.
    const leave = () => (window.history.scrollRestoration = 'auto');
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, []);
  useLayoutEffect(() => {
    const other = last.current !== pathname;
    last.current = pathname;
    const before = positions.get(key);
    if (isBack && before !== undefined) window.scrollTo(0, before);
    else if (other) window.scrollTo(0, 0);
    const keep = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', keep, { passive: true });
    return () => window.removeEventListener('scroll', keep);
  }, [key, pathname, isBack]);
}
