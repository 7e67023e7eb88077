import type { ComponentType } from 'react';
import { createBrowserRouter, matchRoutes, type RouteObject } from 'react-router';
import type { FilterNames } from '#src/api/contract.ts';
import type { ListRow } from '#src/list/fields.tsx';
import type { Resource } from '#src/resources/resource.ts';
import { KINDS, type OperationKind, START_PATHS } from '#src/lib/operations/kind.ts';
import { MissingChunk, reloadForNewBuild } from './chunkReload.ts';
import { Layout } from './Layout.tsx';
import { AppError, RouteError } from './RouteError.tsx';
import { SessionGuard } from './SessionGuard.tsx';

/** A page: its chunk is read when somebody goes there, and what breaks in it stays in it. */
function page(path: string, load: () => Promise<{ Component: ComponentType }>, children?: RouteObject[]): RouteObject {
  return { path, lazy: lazyPage(load), ErrorBoundary: RouteError, ...(children ? { children } : {}) };
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
    page(path, load, [
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
  {
    ErrorBoundary: AppError,
    HydrateFallback: () => null,
    children: [
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
    ],
  },
];

/** Reads the chunks that a path needs, so that the first render shows the page and no fallback. */
async function preload(path: string): Promise<void> {
  for (const { route } of matchRoutes(routes, path) ?? []) {
    if (typeof route.lazy !== 'function') continue;
    Object.assign(route, await route.lazy(), { lazy: undefined });
  }
}

export async function createRouter(startAt: string, signedIn: boolean) {
  await preload(signedIn ? startAt : '/sign-in');
  return createBrowserRouter(routes);
}

interface PageModule {
  Component: ComponentType;
}

function Missing(): never {
  throw new MissingChunk('A part of the app is missing.');
}

/** Loads a page's chunk. One that is gone or is not a script means a newer build: the app is read again, once. */
export function lazyPage(load: () => Promise<PageModule>): () => Promise<PageModule> {
  return async () => {
    try {
      return await load();
    } catch {
      await reloadForNewBuild();
      // Thrown while rendering: a lazy route that rejects on the first page leaves the router on an empty fallback.
      return { Component: Missing };
    }
  };
}
