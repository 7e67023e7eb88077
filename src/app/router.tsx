import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, use, useLayoutEffect } from 'react';
import { matchRoutes, type RouteObject, useRoutes } from 'react-router';
import type { FilterNames } from '#src/api/contract.ts';
import type { ListRow } from '#src/list/fields.tsx';
import type { Resource } from '#src/resources/resource.ts';
import { KINDS, type OperationKind, START_PATHS } from '#src/lib/operations/kind.ts';
import { firstDrawn } from '#src/ui/firstPaint.ts';
import { MissingChunk, reloadForNewBuild } from './chunkReload.ts';
import { Layout } from './Layout.tsx';
import { AppError, ErrorBoundary, RouteError } from './RouteError.tsx';
import { SessionGuard } from './SessionGuard.tsx';

/** What a page's chunk has for the app. */
interface PageModule {
  Component: ComponentType;
  /** Starts what the page reads first; never rejects. */
  readFirst?: (client: QueryClient, account: string, search: string) => Promise<unknown>;
}

const loads = new Map<RouteObject, () => Promise<PageModule>>();

/** Reads the chunk of a route's page; undefined for a route that has none of its own. */
export function loadOf(route: RouteObject): (() => Promise<PageModule>) | undefined {
  return loads.get(route);
}

/** A page: its chunk is read when somebody goes there, and what breaks in it stays in it. */
function page(path: string, load: () => Promise<PageModule>, children?: RouteObject[]): RouteObject {
  let reading: Promise<PageModule> | undefined;
  let read: PageModule | undefined;
  const start = () => {
    reading ??= orMissing(load).then((module) => (read = module));
    return reading;
  };
  function Page() {
    const { Component } = read ?? use(start());
    return <Component />;
  }
  const element = (
    <ErrorBoundary Shown={RouteError}>
      <Page />
    </ErrorBoundary>
  );
  const route = { path, element, ...(children ? { children } : {}) };
  loads.set(route, start);
  return route;
}

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

/** A list of the service: its page, the detail of a row beside it, and a row's case file. */
function list<T extends ListRow>(
  path: string,
  load: () => Promise<{ Component: ComponentType; resource: Resource<T> }>,
  ...besides: 'case-file'[]
): RouteObject[] {
  return [
    page(path, () => load().then(({ Component, resource }) => ({ Component, readFirst: resource.readFirst })), [
      page(':id', async () => {
        const [{ ResourcePage }, { resource }] = await Promise.all([import('#src/resources/ResourcePage.tsx'), load()]);
        return { Component: () => <ResourcePage resource={resource} /> };
      }),
    ]),
    ...besides.map((below) =>
      page(`${path}/:id/${below}`, async () => {
        const [{ ResourceCasePage }, { resource }] = await Promise.all([
          import('#src/resources/ResourceCasePage.tsx'),
          load(),
        ]);
        return { Component: () => <ResourceCasePage resource={resource} /> };
      }),
    ),
  ];
}

const lists = {
  deposits: list('/deposits', () => import('#src/resources/deposits.tsx'), 'case-file'),
  withdrawals: list('/withdrawals', () => import('#src/resources/withdrawals.tsx'), 'case-file'),
  'ledger-entries': list('/ledger', () => import('#src/resources/ledger.tsx')),
} satisfies Record<keyof FilterNames, RouteObject[]>;

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
          ...Object.values(lists).flat(),
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

function Missing(): never {
  throw new MissingChunk('A part of the app is missing.');
}

/** A page's chunk. One that is gone or is not a script means a newer build: the app is read again, once. */
async function orMissing(load: () => Promise<PageModule>): Promise<PageModule> {
  try {
    return await load();
  } catch {
    await reloadForNewBuild();
    return { Component: Missing };
  }
}
