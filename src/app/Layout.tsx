import { Menu, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { usePreferences } from '#src/remembered/preferences.ts';
import { LiveRegion } from '#src/ui/announce.tsx';
import { TipLayer } from '#src/ui/TipLayer.tsx';
import { ZoneProvider } from '#src/ui/zone.tsx';
import { Brand } from './Brand.tsx';
import { Identity } from './Identity.tsx';
import { MainNav } from './MainNav.tsx';
import { MoneyMark } from './MoneyMark.tsx';
import { Settings } from './Settings.tsx';
import { useFocusOnNavigation } from './useFocusOnNavigation.ts';

// Both read the operations of this browser, which no first paint waits for.
const Banner = lazy(() => import('#src/pages/operations/Banner.tsx').then(({ Banner }) => ({ default: Banner })));
const SendingWatch = lazy(() => import('./SendingWatch.tsx').then(({ SendingWatch }) => ({ default: SendingWatch })));

export function Layout() {
  const { zone } = usePreferences();
  const { pathname } = useLocation();
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main);
  // Open only on the page where it was opened: going anywhere closes it.
  const menuOpen = menuAt === pathname;
  const closeMenu = () => setMenuAt(null);

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
        <div className="topbar">
          <div className="topbar-who">
            <Brand />
            <MoneyMark />
          </div>
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
        </div>
        <div className="spine" id="spine" data-open={menuOpen || undefined}>
          <header className="spine-head">
            <Brand />
            <MoneyMark />
            <Identity />
          </header>
          <MainNav onGo={closeMenu} />
          <Settings />
        </div>
        <div className="banner-place">
          <Suspense>
            <Banner />
            <SendingWatch />
          </Suspense>
        </div>
        <main className="main" id="main" tabIndex={-1} ref={main}>
          <Outlet />
        </main>
      </div>
      <LiveRegion />
      <TipLayer />
      <ScrollRestoration />
    </ZoneProvider>
  );
}
