import { useEffect, useLayoutEffect } from 'react';
import { type Location, matchRoutes, Navigate, Outlet, type RouteObject, useLocation, useRoutes } from 'react-router';
import { ownerOf, useMaybeSession, useSessionEnd } from '#src/web/api/session.ts';
import { unansweredStartOf } from '#src/web/api/operations/pendingStarts.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { paths } from '#src/shared/paths.ts';
import { forgetDrafts } from '#src/web/storage/drafts.ts';
import { firstDrawn } from '#src/web/ui/firstPaint.ts';
import { FORM_ENTRIES, loadOperation } from './forms.tsx';
import { Layout } from './Layout.tsx';
import { LIST_ROUTES } from './listRoutes.tsx';
import { pageLoaders, pageRoute, type PageModule } from './page.tsx';
import { pageName } from './navItems.ts';
import { AppError, RouteBoundary } from './RouteError.tsx';

/** Former URLs, for bookmarks and saved links. */
const MOVED_PATHS = {
  '/address-book': paths.recipients,
  '/reconcile': paths.monthClose,
  '/rehearsal': paths.simulator,
  '/requests': paths.apiLog(),
};

const notFound = pageRoute('*', () => import('#src/web/pages/not-found/NotFoundPage.tsx'));

export const routes: RouteObject[] = [
  pageRoute('/sign-in', () => import('#src/web/pages/sign-in/SignInPage.tsx')),
  pageRoute('/join', () => import('#src/web/pages/sign-in/JoinPage.tsx')),
  {
    Component: SessionGuard,
    children: [
      {
        Component: Layout,
        children: [
          pageRoute('/', () => import('#src/web/pages/home/HomePage.tsx')),
          pageRoute('/balances', () => import('#src/web/pages/balances/BalancesPage.tsx')),
          pageRoute('/balances/:asset', () => import('#src/web/pages/balances/BalancePage.tsx')),
          ...Object.values(LIST_ROUTES).flatMap((entry) => entry.routes),
          ...Object.values(FORM_ENTRIES).map(({ route }) => route),
          pageRoute('/addresses', () => import('#src/web/pages/addresses/AddressesPage.tsx')),
          pageRoute('/addresses/:id', () => import('#src/web/pages/addresses/AddressPage.tsx')),
          pageRoute('/recipients', () => import('#src/web/pages/recipients/RecipientsPage.tsx')),
          pageRoute('/recipients/:id', () => import('#src/web/pages/recipients/RecipientPage.tsx')),
          pageRoute('/batches', () => import('#src/web/pages/batches/BatchesPage.tsx')),
          pageRoute('/batches/new', () => import('#src/web/pages/batches/NewBatchPage.tsx')),
          pageRoute('/batches/:id', () => import('#src/web/pages/batches/BatchPage.tsx')),
          pageRoute('/standing-payments', () => import('#src/web/pages/standing-payments/StandingPaymentsPage.tsx')),
          pageRoute('/operations', () => import('#src/web/pages/operations/OperationsPage.tsx')),
          pageRoute('/api-log', () => import('#src/web/pages/api-log/ApiLogPage.tsx'), [
            pageRoute(':id', () => import('#src/web/pages/api-log/ApiCallPage.tsx')),
          ]),
          pageRoute('/operations/:key', loadOperation),
          pageRoute('/simulator', () => import('#src/web/pages/simulator/SimulatorPage.tsx')),
          pageRoute('/exports', () => import('#src/web/pages/exports/ExportsPage.tsx')),
          pageRoute('/notices', () => import('#src/web/pages/notices/NoticesPage.tsx')),
          pageRoute('/activity', () => import('#src/web/pages/activity/ActivityPage.tsx')),
          {
            Component: PasskeyGuard,
            children: [
              pageRoute('/approvals', () => import('#src/web/pages/approvals/ApprovalsPage.tsx')),
              pageRoute('/people', () => import('#src/web/pages/people/PeoplePage.tsx')),
              pageRoute('/policy', () => import('#src/web/pages/policy/PolicyPage.tsx')),
              pageRoute('/account', () => import('#src/web/pages/own-account/OwnAccountPage.tsx')),
            ],
          },
          pageRoute('/month-close', () => import('#src/web/pages/month-close/MonthClosePage.tsx')),
          ...Object.entries(MOVED_PATHS).map(([from, to]) => ({
            path: `${from}/*`,
            element: <MovedPage from={from} to={to} />,
          })),
          notFound,
        ],
      },
    ],
  },
];

export function App() {
  useLayoutEffect(firstDrawn, []);
  return <RouteBoundary Fallback={AppError}>{useRoutes(routes)}</RouteBoundary>;
}

/** Loads the chunks of a path, so that the first render shows the page. */
export function preload(path: string): Promise<PageModule[]> {
  return Promise.all((matchRoutes(routes, path) ?? []).flatMap(({ route }) => pageLoaders.get(route)?.() ?? []));
}

/** Without a session, redirects to sign-in, which returns to the same URL. */
function SessionGuard() {
  const session = useMaybeSession();
  const end = useSessionEnd();
  const location = useLocation();
  useEffect(() => {
    if (end === 'signed-out') forgetDrafts();
  }, [end]);
  if (session === null) {
    // Return to the page, unless the person chose to sign out.
    const next = end === 'signed-out' ? undefined : returnPath(location);
    // Keyed by history entry, so that it redirects again if a form goes back in the history at this moment.
    const state = locationState({ endedOn: pageName(location.pathname) });
    return <Navigate key={location.key} to={paths.signIn(next)} state={state} replace />;
  }
  // Remount for another account or person: no form and no half-loaded list of the old one stays.
  return <Outlet key={ownerOf(session)} />;
}

/** Pages that exist only where people sign in with passkeys. */
function PasskeyGuard() {
  return useMaybeSession()?.person ? <Outlet /> : notFound.element;
}

function MovedPage({ from, to }: { from: string; to: string }) {
  const { pathname, search, hash, state }: Location = useLocation();
  return <Navigate to={{ pathname: to + pathname.slice(from.length), search, hash }} state={state} replace />;
}

/** The same URL, or the operation if its form was just sent. */
function returnPath({ pathname, search, hash }: Location): string {
  const operation = unansweredStartOf(pathname);
  return operation === null ? pathname + search + hash : paths.operation(operation);
}
