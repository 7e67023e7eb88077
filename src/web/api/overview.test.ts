import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import type { Overview } from '#src/shared/contract/overviewContract.ts';
import { overviewOf } from '#src/server/overview/document.ts';
import { createOverviews } from '#src/server/overview/overviews.ts';
import {
  datedAnswer,
  ASKER,
  createTestProvider,
  NO_OPERATIONS,
  refusalBody,
  testClock,
} from '#src/server/overview/testProvider.ts';
import { describeError } from './errors.ts';
import { setTransport } from './http.ts';
import { overviewQuery } from './overview.ts';
import { apiErrorOf } from './sharedReading.ts';

afterEach(() => setTransport(null));

async function testDocument(): Promise<Overview> {
  const provider = createTestProvider();
  provider.instead = (target) =>
    target.startsWith('/v1/deposits') ? datedAnswer(500, refusalBody('internal_error')) : undefined;
  const overviews = createOverviews({ service: provider, rows: NO_OPERATIONS, clock: testClock() });
  return overviewOf({ ...(await overviews.readWhole(ASKER)), outside: [] }, 'utc');
}

test('a page asks for what is new, then only whether something changed', async () => {
  const asked: { path: string; tag: string | null }[] = [];
  const document = await testDocument();
  setTransport((path, init) => {
    const tag = new Headers(init.headers).get('If-None-Match');
    asked.push({ path, tag });
    const headers = { ETag: 'W/"1"' };
    return Promise.resolve(
      tag === 'W/"1"' ? new Response(null, { status: 304, headers }) : Response.json(document, { headers }),
    );
  });
  const client = new QueryClient();
  const options = { ...overviewQuery('acct_1', 'UTC'), staleTime: 0 };
  const first = await client.fetchQuery(options);
  expect(first.balances?.balances).toMatchObject([{ asset: 'BTC', total: '1' }]);
  expect(await client.fetchQuery(options)).toBe(first);
  expect(asked).toEqual([
    { path: '/api/overview?zone=UTC&refresh=true', tag: null },
    { path: '/api/overview?zone=UTC', tag: 'W/"1"' },
  ]);
});

test('times are by this device’s clock, whatever the server’s says', async () => {
  const document = await testDocument();
  const behind = Math.floor(Date.now() / 1_000) - 500;
  setTransport(() =>
    Promise.resolve(Response.json(document, { headers: { Date: new Date(behind * 1_000).toUTCString() } })),
  );
  const read = await new QueryClient().fetchQuery(overviewQuery('acct_1', 'UTC'));
  const ahead = (read.balances?.readAt ?? 0) - (document.balances?.readAt ?? 0);
  expect(ahead).toBeGreaterThanOrEqual(500);
  expect(ahead).toBeLessThan(510);
});

test('the provider’s error in the document is described as if the page itself had read the provider', async () => {
  const { deposits } = await testDocument();
  const error = apiErrorOf(deposits.error);
  expect(describeError(error)).toMatchObject({
    heading: 'The provider had an error',
    status: 500,
    code: 'internal_error',
    requestId: 'req_1',
  });
  expect(apiErrorOf(deposits.error)).toBe(error);
  expect(apiErrorOf(null)).toBeNull();
});
