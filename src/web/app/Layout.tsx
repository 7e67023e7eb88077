import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, Link, Outlet } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { BrandMark } from '#src/web/ui/Mark.tsx';
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
import { useFocusOnNavigation, useWindowScroll } from './navigation.ts';
import { keysTo } from './navItems.ts';
import { OperationsBanner } from './OperationsBanner.tsx';
import { ProviderKeyBanner } from './ProviderKeyBanner.tsx';

const ExportBar = deferred(() => import('#src/web/export/ExportBar.tsx').then((read) => read.ExportBar));
const TipLayer = deferred(() => import('#src/web/ui/TipLayer.tsx').then((read) => read.TipLayer));

export function Layout() {
  const firstPainted = useFirstPainted();
  const { zone, hideAmounts } = usePreferences();
  const [overlay, setOverlay] = useState<Overlay>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const { menuOpen, toggleMenu, closeMenu } = useNarrowMenu(menuButton);
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main);
  useWindowScroll();
  const find = () => setOverlay('find');

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
              onClick={toggleMenu}
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
            <ProviderKeyBanner />
            <OperationsBanner />
            <ExportBar />
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
      <BrandMark />
      Countinghouse
    </Link>
  );
}

/** The navigation of a narrow window, which is open only on the page where it was opened. */
function useNarrowMenu(button: RefObject<HTMLButtonElement | null>) {
  const { pathname } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const menuOpen = openedAt === pathname;

  useEffect(() => {
    if (!menuOpen) return undefined;
    const narrow = window.matchMedia('(max-width: 56rem)');
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isOverlaid()) return;
      setOpenedAt(null);
      button.current?.focus();
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    narrow.addEventListener('change', () => setOpenedAt(null), { signal });
    document.addEventListener('keydown', close, { signal });
    return () => listeners.abort();
  }, [menuOpen, button]);

  return {
    menuOpen,
    toggleMenu: () => setOpenedAt(menuOpen ? null : pathname),
    // The clicked link is hidden with the menu, so the focus goes to the menu's button, even on the current page.
    closeMenu: () => {
      if (menuOpen) button.current?.focus();
      setOpenedAt(null);
    },
  };
}
