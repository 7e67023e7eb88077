import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getBalance, listBalances } from '#src/web/api/balances.ts';
import { depositQueries, listDeposits, getWithdrawal } from '#src/web/api/listQueries.ts';
import { setTransport } from '#src/web/api/http.ts';
import { walkPages } from '#src/web/api/paging/paging.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { units } from './amounts.ts';
import type { Client } from './http.ts';
import { anyAccount, baseUrl, stillDeposits } from './service.ts';
import { all } from './walk.ts';

describe('the API module against the service: it returns exactly what was received', () => {
  let client: Client;
  beforeAll(async () => {
    client = await anyAccount();
    setTransport((path, init) => {
      const headers = new Headers(init.headers);
      headers.set('x-api-key', client.key);
      return fetch(baseUrl + path, { ...init, headers });
    });
  });
  afterAll(() => setTransport(null));

  test('all balances, each as it came', async () => {
    const wire = await all(client, '/v1/balances');
    const read = await listBalances();
    expect(read.balances.map(({ asset }) => asset)).toEqual(wire.map(({ asset }) => asset));
    expect(read).toMatchObject({ complete: true, broken: null, malformed: [] });
    expect(read.requestId).toMatch(/^req_/);
    expect(read.date).toEqual(expect.any(Number));
  });

  test('one balance, and the 404 of an asset never held', async () => {
    const { balances } = await listBalances();
    for (const { asset } of balances.slice(0, 1)) {
      const { balance } = await getBalance(asset);
      expect(balance.asset).toBe(asset);
      expect(units(balance.total) >= 0n).toBe(true);
    }
    await expect(getBalance('NEVERHELD')).rejects.toMatchObject({
      name: 'ApiError',
      kind: 'http',
      status: 404,
      code: 'not_found',
      requestId: expect.stringMatching(/^req_/) as unknown,
    });
  });

  test('all deposits by its own paging, in both orders and under a filter', async () => {
    const still = await stillDeposits(client);
    const times = {
      created_before: Number(still.filters['created_before']),
      created_after: Number(still.filters['created_after']),
    };
    for (const filter of [{}, { order: 'asc' } as const, { asset: still.deposits[0]?.asset ?? 'BTC' }]) {
      const filters = { ...times, ...filter };
      const read: unknown[] = [];
      await walkPages(
        (cursor) => listDeposits(filters, cursor, { limit: 50 }),
        ({ data }) => void read.push(...data),
      );
      expect(read).toEqual(await all(client, '/v1/deposits', { ...still.filters, ...filter }));
    }
  });

  test('a deposit by its id with cursors only, anywhere in the list', async () => {
    const { deposits } = await stillDeposits(client);
    for (const deposit of [deposits[0], deposits[Math.floor(deposits.length / 2)], deposits.at(-1)]) {
      const { queryFn } = depositQueries.detail('account', deposit?.id ?? '');
      expect(queryFn).toBeTypeOf('function');
      const found = await (queryFn as unknown as (context: { signal: AbortSignal }) => Promise<unknown>)({
        signal: new AbortController().signal,
      });
      expect(found).toMatchObject({ found: true, row: deposit });
    }
  });

  test('a withdrawal that doesn’t exist is an ApiError with the service’s message', async () => {
    await expect(getWithdrawal('wd_unknown')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('the server’s POST sends the exact bytes, and reads the replay marker, the Request-Id and the Date', async () => {
    const sent = { path: '/v1/withdrawals', body: '{ "asset": 1 }', key: crypto.randomUUID(), attempt: 'at_1' };
    const post = async () => (await forwardTo(baseUrl).connect(client.key)).post(sent);
    const [first, second] = [await post(), await post()];
    expect(first).toMatchObject({ kind: 'answer', status: 400, replayed: false, complete: true });
    expect(first).toMatchObject({
      requestId: expect.stringMatching(/^req_/) as unknown,
      date: expect.any(Number) as unknown,
    });
    const { text, requestId } = first as { text: string; requestId: string };
    expect(second).toMatchObject({ kind: 'answer', status: 400, replayed: true, text, requestId });
  });
});
