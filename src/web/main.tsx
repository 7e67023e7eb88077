import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { earlyDrawn } from './api/earlyRequests.ts';
import { wait } from './api/paging/rateLimitPause.ts';
import { getSession, readEmbeddedSession, refreshSession } from './api/session.ts';
import './app/styles.css';
// Here, because the first rows are drawn before the code of the list is there.
import './list/list.css';
import { preloadBanner } from './app/OperationsBanner.tsx';
import { queryClient } from './app/queryClient.ts';
import { App, preload } from './app/router.tsx';
import { getPreferences, subscribePreferences } from './storage/preferences.ts';
import { ignoreComposingKeys, setSingleKeys } from './ui/Keys.tsx';

/** As long as browsers keep a cookie. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60;

/** No first paint of the app waits longer for what it would show at once; milliseconds. */
const PATIENCE = 150;

/** No top-level await: pages import the chunk that this is in, and would wait for it while it waits for them. */
async function start(): Promise<void> {
  followPreferences();
  ignoreComposingKeys();
  readEmbeddedSession();
  // The gateway puts the session into the page; a page from anywhere else has to ask.
  if (!document.getElementById('session')) await refreshSession().catch(() => null);
  const session = getSession();
  const { pathname, search } = window.location;
  if (session === null) await preload('/sign-in');
  else {
    const banner = preloadBanner(session.account);
    const pages = await preload(pathname);
    // Their requests left before the app came: drawn with the answers, the page is drawn once.
    const reads = pages.map(
      ({ readFirst }) => !session.journal_only && readFirst?.(queryClient, session.account, search),
    );
    await Promise.race([Promise.all([banner, ...reads]), wait(PATIENCE, undefined)]);
    // Drawing the app would push back the paint of rows that are there already.
    await earlyDrawn();
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
  // The server writes it into the page, so that a theme chosen against the system's does not flash.
  document.cookie = `countinghouse-theme=${theme}; Path=/; SameSite=Strict; Max-Age=${theme === 'system' ? 0 : LONGEST_SECONDS}`;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Keeps the page's theme and its keys as the person chose them, also when another tab changes them. */
function followPreferences(): void {
  applyPreferences();
  subscribePreferences(applyPreferences);
}

void start();
