import { afterEach, describe, expect, test } from 'vitest';
import { listBalances } from '#src/web/api/balances.ts';
import { setTransport } from '#src/web/api/http.ts';
import { listWithdrawals } from '#src/web/api/listQueries.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import type { AttemptResult } from '#src/shared/answers.ts';
import {
  accountWith,
  BTC,
  setFault,
  receivedRequests,
  withdrawalFields,
  withdrawalsOf,
  type Account,
} from './controls.ts';
import { amount } from './examples.ts';
import { baseUrl } from './service.ts';

/** An account whose calls go through the API module. */
async function connected(): Promise<Account> {
  const account = await accountWith(BTC);
  setTransport((path, init) => {
    const headers = new Headers(init.headers);
    headers.set('x-api-key', account.key);
    return fetch(baseUrl + path, { ...init, headers });
  });
  return account;
}

/** POSTs like the dashboard's server, on a dedicated socket. */
async function withdraw(account: Account, key: string): Promise<AttemptResult> {
  const body = JSON.stringify(withdrawalFields(BTC, '0.1'));
  const connection = await forwardTo(baseUrl).connect(account.key);
  return connection.post({ path: '/v1/withdrawals', body, key, attempt: key });
}

afterEach(() => setTransport(null));

describe('when the service fails', () => {
  test.each([
    ['dropped', { drop: true }, { kind: 'no-answer', reason: 'network' }],
    ['cut', { cutAt: 20 }, { kind: 'answer', status: 201, complete: false }],
    [
      'replaced by HTML',
      { status: 502, body: '<html></html>' },
      { kind: 'answer', status: 502, text: '<html></html>' },
    ],
    ['redirected', { status: 302, headers: { Location: 'http://127.0.0.1:1/' } }, { kind: 'no-answer' }],
  ])('a POST whose answer is %s is tried once, and its key finds the withdrawal again', async (_, act, expected) => {
    const account = await connected();
    await setFault(account, { method: 'POST', path: '/v1/withdrawals', when: 'after', ...act });
    const key = crypto.randomUUID();
    expect(await withdraw(account, key)).toMatchObject(expected);
    expect((await receivedRequests(account)).filter((request) => request.method === 'POST')).toHaveLength(1);
    expect(await withdraw(account, key)).toMatchObject({ kind: 'answer', status: 201, replayed: true, complete: true });
    expect(await withdrawalsOf(account)).toHaveLength(1);
  });

  test.each([
    ['a 503', { status: 503, when: 'before' }],
    ['a lost connection', { drop: true, when: 'before' }],
    ['a cut body', { cutAt: 5 }],
  ])('a GET is tried again after %s', async (_, act) => {
    const account = await connected();
    await setFault(account, { method: 'GET', path: '/v1/balances', ...act });
    expect(await listBalances()).toMatchObject({
      complete: true,
      balances: [{ asset: 'BTC', available: amount('1') }],
    });
    expect((await receivedRequests(account)).filter((request) => request.path.startsWith('/v1/balances'))).toHaveLength(
      2,
    );
  });

  test('a list that the service doesn’t have is a plain 404 or 405, and not retried', async () => {
    const account = await connected();
    await setFault(account, { method: 'GET', path: '/v1/withdrawals', when: 'before', status: 405, times: 5 });
    await expect(listWithdrawals({}, null)).rejects.toMatchObject({ status: 405 });
    expect((await receivedRequests(account)).filter((request) => request.path === '/v1/withdrawals')).toHaveLength(1);
  });

  test('amounts and unknown fields pass through untouched', async () => {
    const account = await connected();
    const odd = { data: [{ asset: 'BTC', available: 0.5, pending: null, surprise: { nested: ['<script>'] } }] };
    await setFault(account, { method: 'GET', path: '/v1/balances', when: 'after', patch: odd });
    expect((await listBalances()).balances).toMatchObject(odd.data);
  });
});
