import { can } from '#src/web/api/permissions.ts';
import { paths } from '#src/shared/paths.ts';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { firstRowsPainted } from './api/earlyRequests.ts';
import { wait } from './api/paging/rateLimitPause.ts';
import { watchPersonActivity } from './api/personActivity.ts';
import { getSession, readEmbeddedSession, refreshSession } from './api/session.ts';
import './app/styles.css';
// Here because the first rows are drawn before the list’s code is loaded.
import './list/list.css';
import { preloadBanner } from './app/OperationsBanner.tsx';
import { queryClient } from './app/queryClient.ts';
import { App, preload } from './app/router.tsx';
import { store } from './storage/browserStorage.ts';
import { getPreferences, subscribePreferences } from './storage/preferences.ts';
import { ignoreComposingKeys, setSingleKeys } from './ui/Keys.tsx';

/** The longest that browsers keep a cookie. */
const COOKIE_MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/** The first render waits no longer than this for its data. */
const FIRST_DATA_WAIT_MS = 150;

/** No top-level await: page chunks import this one, so awaiting them here would deadlock. */
async function start(): Promise<void> {
  followPreferences();
  ignoreComposingKeys();
  watchPersonActivity();
  // Former versions kept the API log here.
  store('sessionStorage', 'countinghouse.calls', '');
  readEmbeddedSession();
  // The gateway embeds the session in the page; a page from elsewhere asks for it.
  if (!document.getElementById('session')) await refreshSession().catch(() => null);
  const session = getSession();
  const { pathname, search } = window.location;
  if (session === null) await preload(pathname === paths.join() ? pathname : '/sign-in');
  else {
    const banner = preloadBanner(session.account);
    const pages = await preload(pathname);
    // These requests left before the app was loaded: with their answers the page renders once.
    const reads = pages.map(
      ({ readFirst }) => can(session, 'read') && readFirst?.(queryClient, session.account, search),
    );
    await Promise.race([Promise.all([banner, ...reads]), wait(FIRST_DATA_WAIT_MS, undefined)]);
    // Rendering the app would delay the paint of the first rows (boot/firstRows.tsx).
    await firstRowsPainted();
  }
  const root = document.getElementById('root');
  if (root) {
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <BrowserRouter>
            <Suspense>
              <CSPProvider disableStyleElements>
                <App />
              </CSPProvider>
            </Suspense>
          </BrowserRouter>
        </QueryClientProvider>
      </StrictMode>,
    );
  }
}

function applyPreferences(): void {
  const { theme, singleKeys } = getPreferences();
  setSingleKeys(singleKeys);
  // The server reads it, so that the page comes in the chosen theme.
  document.cookie = `countinghouse-theme=${theme}; Path=/; SameSite=Strict; Max-Age=${theme === 'system' ? 0 : COOKIE_MAX_AGE_SECONDS}`;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Applies theme and keys, also when another tab changes them. */
function followPreferences(): void {
  applyPreferences();
  subscribePreferences(applyPreferences);
}

void start();
