import { useEffect, useLayoutEffect } from 'react';
import { type Location, matchRoutes, Navigate, Outlet, type RouteObject, useLocation, useRoutes } from 'react-router';
import { useMaybeSession, useSessionEnd } from '#src/web/api/session.ts';
import { unansweredStartOf } from '#src/web/api/operations/pendingStarts.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { paths } from '#src/shared/paths.ts';
import { forgetDrafts } from '#src/web/storage/drafts.ts';
import { firstDrawn } from '#src/web/ui/firstPaint.ts';
import { FORM_ENTRIES, loadOperation } from './forms.tsx';
import { Layout } from './Layout.tsx';
import { LIST_ENTRIES } from './lists.tsx';
import { pageLoaders, page, type PageModule } from './page.tsx';
import { nameOf } from './places.ts';
import { AppError, RouteBoundary } from './RouteError.tsx';

/** Former URLs, which bookmarks and saved links still hold. */
const MOVED_PATHS = {
  '/address-book': paths.recipients,
  '/reconcile': paths.monthClose,
  '/rehearsal': paths.simulator,
  '/requests': paths.apiLog(),
};

export const routes: RouteObject[] = [
  page('/sign-in', () => import('#src/web/pages/sign-in/SignInPage.tsx')),
  {
    Component: SessionGuard,
    children: [
      {
        Component: Layout,
        children: [
          page('/', () => import('#src/web/pages/home/HomePage.tsx')),
          page('/balances', () => import('#src/web/pages/balances/BalancesPage.tsx')),
          page('/balances/:asset', () => import('#src/web/pages/balances/BalancePage.tsx')),
          ...Object.values(LIST_ENTRIES).flatMap((entry) => entry.routes),
          ...Object.values(FORM_ENTRIES).map(({ route }) => route),
          page('/addresses', () => import('#src/web/pages/addresses/AddressesPage.tsx')),
          page('/recipients', () => import('#src/web/pages/recipients/RecipientsPage.tsx')),
          page('/operations', () => import('#src/web/pages/operations/OperationsPage.tsx')),
          page('/api-log', () => import('#src/web/pages/api-log/ApiLogPage.tsx'), [
            page(':id', () => import('#src/web/pages/api-log/ApiCallPage.tsx')),
          ]),
          page('/operations/:key', loadOperation),
          page('/simulator', () => import('#src/web/pages/simulator/SimulatorPage.tsx')),
          page('/month-close', () => import('#src/web/pages/month-close/MonthClosePage.tsx')),
          ...Object.entries(MOVED_PATHS).map(([from, to]) => ({
            path: `${from}/*`,
            element: <MovedPage from={from} to={to} />,
          })),
          page('*', () => import('#src/web/pages/not-found/NotFoundPage.tsx')),
        ],
      },
    ],
  },
];

export function App() {
  useLayoutEffect(firstDrawn, []);
  return <RouteBoundary Shown={AppError}>{useRoutes(routes)}</RouteBoundary>;
}

/** Reads the chunks that a path needs, so that the first render shows the page and no fallback. */
export function preload(path: string): Promise<PageModule[]> {
  return Promise.all((matchRoutes(routes, path) ?? []).flatMap(({ route }) => pageLoaders.get(route)?.() ?? []));
}

/** Pages need a session; without one the way leads to sign-in and back to the same URL. */
function SessionGuard() {
  const session = useMaybeSession();
  const end = useSessionEnd();
  const location = useLocation();
  useEffect(() => {
    if (end === 'signed-out') forgetDrafts();
  }, [end]);
  if (session === null) {
    // Who signs out leaves the place as well; who was signed out comes back to it.
    const next = end === 'signed-out' ? undefined : placeOf(location);
    // For each entry of the history anew: a form that just then steps back to its first entry takes the way to sign-in away.
    const state = locationState({ endedOn: nameOf(location.pathname) });
    return <Navigate key={location.key} to={paths.signIn(next)} state={state} replace />;
  }
  // Another account is another set of pages: no form and no half-read list of the old one survives.
  return <Outlet key={`${session.service} ${session.account}`} />;
}

function MovedPage({ from, to }: { from: string; to: string }) {
  const { pathname, search, hash, state }: Location = useLocation();
  return <Navigate to={{ pathname: to + pathname.slice(from.length), search, hash }} state={state} replace />;
}

/** Where to come back to: the same URL, and from a form that was just sent its operation. */
function placeOf({ pathname, search, hash }: Location): string {
  const operation = unansweredStartOf(pathname);
  return operation === null ? pathname + search + hash : paths.operation(operation);
}
