import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { balanceQueries } from '#src/web/api/balances.ts';
import { setTransport } from '#src/web/api/http.ts';
import { operationsQuery } from '#src/web/api/operations/operations.ts';
import { OPEN_OPERATIONS } from '#src/shared/serverPaths.ts';
import { OPEN } from '#src/web/api/operations/useOperations.ts';
import { PAGES } from '#src/server/http/assets/preload.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import { prefetchHome as home } from '#src/web/pages/home/useHome.ts';
import { resource as deposits } from '#src/web/resources/deposits.tsx';
import { resource as ledger } from '#src/web/resources/ledger.tsx';
import type { Resource } from '#src/web/resources/resource.ts';
import { resource as withdrawals } from '#src/web/resources/withdrawals.tsx';
import { firstRequests } from './firstRequests.ts';

const ACCOUNT = 'acct';
const ID = 'dep_Az-09';
const SEARCH = '?order=asc&created_before=20&created_after=10&source=dep_1&asset=BTC&asset=ETH&status=&tab=raw';

let requested: string[] = [];
beforeEach(() => {
  requested = [];
  setTransport((path) => {
    requested.push(path);
    return Promise.resolve(Response.json({}, { status: 403 }));
  });
});

async function requestsOf(...reads: ((client: QueryClient) => Promise<unknown>)[]): Promise<string[]> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await Promise.allSettled(reads.map((read) => read(client)));
  return requested.toSorted();
}

const listOf =
  <T extends ListRow>({ readFirst }: Resource<T>) =>
  (client: QueryClient) =>
    readFirst(client, ACCOUNT, SEARCH);

const rowOf =
  <T extends ListRow>({ api }: Resource<T>) =>
  (client: QueryClient) =>
    client.fetchQuery(api.detail(ACCOUNT, ID));

/** The first queries of each page. */
const FIRST_QUERIES: Readonly<Record<string, () => Promise<string[]>>> = {
  '/': () => requestsOf((client) => home(client, ACCOUNT)),
  '/balances': () => requestsOf((client) => client.fetchQuery(balanceQueries.list(ACCOUNT))),
  '/balances/:asset': () => requestsOf((client) => client.fetchQuery(balanceQueries.detail(ACCOUNT, ID))),
  '/deposits': () => requestsOf(listOf(deposits)),
  '/deposits/:id': () => requestsOf(listOf(deposits), rowOf(deposits)),
  '/withdrawals': () => requestsOf(listOf(withdrawals)),
  '/withdrawals/:id': () => requestsOf(listOf(withdrawals), rowOf(withdrawals)),
  '/ledger': () => requestsOf(listOf(ledger)),
  '/ledger/:id': () => requestsOf(listOf(ledger), rowOf(ledger)),
};

test.each(Object.keys(PAGES))('%s: the early script requests the same as its page, or nothing', async (path) => {
  const first = firstRequests(path.replace(/:[a-z]+/, ID), SEARCH, 'UTC');
  const own = (await FIRST_QUERIES[path]?.()) ?? [];
  // Open operations are requested on every page.
  expect(first.toSorted()).toEqual(own.filter((url) => url !== OPEN_OPERATIONS));
});

test('the banner requests the same as the early script', async () => {
  expect(await requestsOf((client) => client.fetchQuery(operationsQuery(ACCOUNT, OPEN)))).toEqual([OPEN_OPERATIONS]);
});

test.each(['/deposits/', '/deposits/..', '/deposits/a%2Fb', '/nowhere', '/sign-in', '//deposits'])(
  '%s is left to the page',
  (path) => expect(firstRequests(path, '', 'UTC')).toEqual([]),
);
