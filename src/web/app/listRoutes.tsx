import { ArrowDownLeft, ArrowUpRight, BookOpen } from 'lucide-react';
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import type { ListName } from '#src/shared/contract/contract.ts';
import { LIST_PAGES } from '#src/shared/paths.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import type { PageLink } from '#src/web/pages/find/options.ts';
import type { Resource } from '#src/web/resources/resource.ts';
import { pageRoute } from './page.tsx';

function list<T extends ListRow>(
  name: ListName,
  load: () => Promise<{ Component: ComponentType; resource: Resource<T> }>,
): Pick<ListEntry, 'to' | 'routes'> {
  const { path, caseFile } = LIST_PAGES[name];
  const routes = [
    pageRoute(path, () => load().then(({ Component, resource }) => ({ Component, readFirst: resource.readFirst })), [
      pageRoute(':id', async () => {
        const [{ ResourcePage }, { resource }] = await Promise.all([
          import('#src/web/resources/ResourcePage.tsx'),
          load(),
        ]);
        return { Component: () => <ResourcePage resource={resource} /> };
      }),
    ]),
    ...(caseFile
      ? [
          pageRoute(`${path}/:id/case-file`, async () => {
            const [{ ResourceCasePage }, { resource }] = await Promise.all([
              import('#src/web/resources/ResourceCasePage.tsx'),
              load(),
            ]);
            return { Component: () => <ResourceCasePage resource={resource} /> };
          }),
        ]
      : []),
  ];
  return { to: path, routes };
}

interface ListEntry extends PageLink {
  routes: RouteObject[];
  group: 'Money' | 'Reports';
}

/** The service’s lists, in the order of the navigation. */
export const LIST_ROUTES: Readonly<Record<ListName, ListEntry>> = {
  deposits: {
    ...list('deposits', () => import('#src/web/resources/deposits.tsx')),
    group: 'Money',
    label: 'Deposits',
    Icon: ArrowDownLeft,
    keys: 'G D',
  },
  withdrawals: {
    ...list('withdrawals', () => import('#src/web/resources/withdrawals.tsx')),
    group: 'Money',
    label: 'Withdrawals',
    Icon: ArrowUpRight,
    keys: 'G W',
  },
  'ledger-entries': {
    ...list('ledger-entries', () => import('#src/web/resources/ledger.tsx')),
    group: 'Reports',
    label: 'Ledger',
    Icon: BookOpen,
    keys: 'G L',
  },
};
