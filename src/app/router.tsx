import { type ComponentType, useLayoutEffect } from 'react';
import { matchRoutes, type RouteObject, useRoutes } from 'react-router';
import { KINDS, type OperationKind, START_PATHS } from '#src/lib/operations/kind.ts';
import { firstDrawn } from '#src/ui/firstPaint.ts';
import { Layout } from './Layout.tsx';
import { LIST_ENTRIES } from './lists.tsx';
import { loadOf, page, type PageModule } from './page.tsx';
import { AppError, ErrorBoundary } from './RouteError.tsx';
import { SessionGuard } from './SessionGuard.tsx';

const START_PAGES: Readonly<Record<OperationKind, () => Promise<{ Component: ComponentType }>>> = {
  withdrawal: () => import('#src/pages/withdrawals/NewWithdrawalPage.tsx'),
  'deposit-address': () => import('#src/pages/deposits/NewAddressPage.tsx'),
  charge: () => import('#src/pages/charges/NewChargePage.tsx'),
  'webhook-replay': () => import('#src/pages/webhook-deliveries/ReplayPage.tsx'),
};

const loadOperation = () => import('#src/pages/operations/OperationPage.tsx');

/** A page that sends: the operation's page is loaded with it, so that one that is offline then still gets there. */
function startPage(kind: OperationKind): RouteObject {
  return page(START_PATHS[kind], () => {
    void loadOperation().catch(() => undefined);
    return START_PAGES[kind]();
  });
}

/** The map of the product. */
export const routes: RouteObject[] = [
  page('/sign-in', () => import('#src/pages/sign-in/SignInPage.tsx')),
  {
    Component: SessionGuard,
    children: [
      {
        Component: Layout,
        children: [
          page('/', () => import('#src/pages/home/HomePage.tsx')),
          page('/balances', () => import('#src/pages/balances/BalancesPage.tsx')),
          page('/balances/:asset', () => import('#src/pages/balances/BalancePage.tsx')),
          ...Object.values(LIST_ENTRIES).flatMap((entry) => entry.routes),
          ...KINDS.map(startPage),
          page('/addresses', () => import('#src/pages/addresses/AddressesPage.tsx')),
          page('/address-book', () => import('#src/pages/recipients/RecipientsPage.tsx')),
          page('/operations', () => import('#src/pages/operations/OperationsPage.tsx')),
          page('/requests', () => import('#src/pages/requests/RequestsPage.tsx'), [
            page(':id', () => import('#src/pages/requests/RequestPage.tsx')),
          ]),
          page('/operations/:key', loadOperation),
          page('/rehearsal', () => import('#src/pages/sandbox/SandboxPage.tsx')),
          page('/reconcile', () => import('#src/pages/reconcile/ReconcilePage.tsx')),
          page('*', () => import('#src/pages/not-found/NotFoundPage.tsx')),
        ],
      },
    ],
  },
];

export function App() {
  useLayoutEffect(firstDrawn, []);
  return <ErrorBoundary Shown={AppError}>{useRoutes(routes)}</ErrorBoundary>;
}

/** Reads the chunks that a path needs, so that the first render shows the page and no fallback. */
export function preload(path: string): Promise<PageModule[]> {
  return Promise.all((matchRoutes(routes, path) ?? []).flatMap(({ route }) => loadOf(route)?.() ?? []));
}
