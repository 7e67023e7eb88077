import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { getSession, readEmbeddedSession, refreshSession } from '#src/api/session.ts';
import { carryRequestLog } from '#src/api/requestLog.ts';
import './app/styles.css';
import { preloadBanner } from './app/preloadBanner.ts';
import { goToPendingPage } from './app/chunkReload.ts';
import { queryClient } from './app/queryClient.ts';
import { createRouter } from './app/router.tsx';
import { followPreferences } from './app/theme.ts';

followPreferences();
readEmbeddedSession();
// The gateway puts the session into the page; a page from anywhere else has to ask.
if (!document.getElementById('session')) await refreshSession().catch(() => null);
const session = getSession();
carryRequestLog(() => {
  const now = getSession();
  return now && `${now.service} ${now.account}`;
});
const bannerRead = session === null ? null : preloadBanner(session.account);
const router = await createRouter(window.location.pathname, session !== null);
await bannerRead?.();
goToPendingPage(() => router.state.navigation.location);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
