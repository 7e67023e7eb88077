import { Menu, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { usePreferences } from '#src/storage/preferences.ts';
import { AmountsHiddenProvider } from '#src/ui/amountsHidden.tsx';
import { LiveRegion } from '#src/ui/announce.tsx';
import { IconButton } from '#src/ui/IconButton.tsx';
import { TipLayer } from '#src/ui/TipLayer.tsx';
import { ZoneProvider } from '#src/ui/zone.tsx';
import { Brand } from './Brand.tsx';
import { FindButton, type Overlay, Overlays } from './CommandPaletteHost.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { MainNav } from './MainNav.tsx';
import { EnvironmentBadge } from './EnvironmentBadge.tsx';
import { OperationsBanner } from './OperationsBanner.tsx';
import { Settings } from './Settings.tsx';
import { useFocusOnNavigation } from './useFocusOnNavigation.ts';

export function Layout() {
  const { zone, hideAmounts } = usePreferences();
  const { pathname } = useLocation();
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main);
  // Open only on the page where it was opened: going anywhere closes it.
  const menuOpen = menuAt === pathname;
  const closeMenu = () => setMenuAt(null);
  const find = () => setOverlay('find');

  useEffect(() => {
    if (!menuOpen) return undefined;
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setMenuAt(null);
      menuButton.current?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [menuOpen]);

  return (
    <ZoneProvider zone={zone}>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <div className="shell">
        <header className="topbar">
          <div className="topbar-who">
            <Brand />
            <EnvironmentBadge account />
          </div>
          <IconButton label="Find" onClick={find}>
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
            <AccountMenu />
          </div>
          <FindButton onFind={find} />
          <MainNav onGo={closeMenu} />
          <Settings onKeys={() => setOverlay('keys')} />
        </aside>
        <AmountsHiddenProvider hidden={hideAmounts}>
          <div className="banner-place">
            <OperationsBanner />
          </div>
          <main className="main" id="main" tabIndex={-1} ref={main}>
            <Outlet />
          </main>
        </AmountsHiddenProvider>
      </div>
      <Overlays overlay={overlay} onOverlay={setOverlay} />
      <LiveRegion />
      <TipLayer />
      <ScrollRestoration />
    </ZoneProvider>
  );
}
