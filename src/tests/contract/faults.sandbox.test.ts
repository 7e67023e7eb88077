import { describe, expect, test } from 'vitest';
import {
  accountWith,
  advance,
  BTC,
  ETH,
  setFault,
  receivedRequests,
  withdrawalFields,
  withdrawalsOf,
  type Account,
} from './controls.ts';
import { sendRaw, type SocketAnswer } from './rawSocket.ts';
import { bodyOf, type HttpAnswer } from './http.ts';
import { baseUrl, sendToService } from './service.ts';

const path = '/v1/withdrawals';
const body = JSON.stringify(withdrawalFields(BTC, '0.1'));

function post(account: Account, key: string = crypto.randomUUID()): Promise<HttpAnswer> {
  return account.post(path, body, key);
}

function postRaw(account: Account, key: string): Promise<SocketAnswer> {
  const headers = [`x-api-key: ${account.key}`, 'Content-Type: application/json', `Idempotency-Key: ${key}`];
  return sendRaw(baseUrl, { method: 'POST', path, headers, body });
}

describe('faults of the sandbox: the effect of each, and what was executed', () => {
  test.each([
    ['before', 0],
    ['after', 1],
  ])('drop %s the commit: no answer, %i withdrawals; the retry ends at one', async (when, executed) => {
    const account = await accountWith(BTC);
    await setFault(account, { method: 'POST', path, when, drop: true });
    const key = crypto.randomUUID();
    const answer = await postRaw(account, key);
    expect(answer).toMatchObject({ status: 0, broken: true });
    expect(await withdrawalsOf(account)).toHaveLength(executed);
    const retry = await post(account, key);
    expect(retry.status).toBe(201);
    expect(retry.headers.has('idempotency-replayed')).toBe(executed === 1);
    expect(await withdrawalsOf(account)).toHaveLength(1);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ])('status, headers and body %s the commit', async (when, executed) => {
    const account = await accountWith(BTC);
    const html = '<html><body>502 Bad Gateway</body></html>';
    await setFault(account, {
      method: 'POST',
      path,
      when,
      status: 502,
      headers: { 'Content-Type': 'text/html' },
      body: html,
    });
    const answer = await post(account);
    expect(answer).toMatchObject({ status: 502, text: html });
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await withdrawalsOf(account)).toHaveLength(executed);
  });

  test('patch changes the answer, never the record', async () => {
    const account = await accountWith(BTC);
    await setFault(account, {
      method: 'POST',
      path,
      when: 'after',
      patch: { amount: '0.9', tx_hash: 7, extra: { nested: null } },
    });
    const answer = await post(account);
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({ amount: '0.9', tx_hash: 7, asset: 'BTC' });
    expect(await withdrawalsOf(account)).toMatchObject([{ amount: '0.1' }]);
  });

  test('removeHeaders', async () => {
    const account = await accountWith(BTC);
    const names = ['Date', 'Request-Id', 'Idempotency-Replayed'];
    await setFault(account, { path: '/v1/balances', removeHeaders: names });
    const { headers, status } = await account.get('/v1/balances');
    expect(status).toBe(200);
    for (const name of names) expect(headers.has(name), name).toBe(false);
    expect((await account.get('/v1/balances')).headers.has('request-id')).toBe(true);
  });

  test('cutAt: the answer is shorter than it says', async () => {
    const account = await accountWith(BTC);
    await setFault(account, { method: 'POST', path, when: 'after', cutAt: 10 });
    const key = crypto.randomUUID();
    const answer = await postRaw(account, key);
    expect(answer).toMatchObject({ status: 201, broken: true });
    expect(answer.body.length).toBeLessThan(40);
    const whole = await post(account, key);
    expect(whole.text.startsWith('{')).toBe(true);
    expect(whole.headers.get('idempotency-replayed')).toBe('true');
  });

  test('stall: headers, then nothing', async () => {
    const account = await accountWith(BTC);
    await setFault(account, { method: 'POST', path, when: 'after', stall: true });
    const stop = new AbortController();
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      body,
      headers: { 'x-api-key': account.key, 'content-type': 'application/json', 'idempotency-key': 'stalled' },
      signal: stop.signal,
    });
    expect(response.status).toBe(201);
    const read = response.text().then(
      () => 'read',
      () => 'aborted',
    );
    expect(await withdrawalsOf(account)).toHaveLength(1);
    stop.abort();
    expect(await read).toBe('aborted');
  });

  test('delay holds the answer back', async () => {
    const account = await accountWith(BTC);
    await setFault(account, { method: 'GET', path: '/v1/balances', delay: 150 });
    const start = performance.now();
    expect((await account.get('/v1/balances')).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(140);
  });

  test('duplicate: two arrivals with one key are one withdrawal', async () => {
    const account = await accountWith(BTC);
    await setFault(account, { method: 'POST', path, duplicate: true });
    expect((await post(account)).status).toBe(201);
    expect(await withdrawalsOf(account)).toHaveLength(1);
  });

  test('times, method, path and account limit a fault; DELETE removes it', async () => {
    const [account, other] = [await accountWith(BTC), await accountWith(BTC)];
    await setFault(account, { method: 'GET', path: '/v1/balances', times: 2, status: 503, when: 'before' });
    expect((await other.get('/v1/balances')).status).toBe(200);
    expect((await account.get('/v1/deposits')).status).toBe(200);
    expect((await account.get('/v1/balances/BTC')).status).toBe(503);
    expect((await account.get('/v1/balances')).status).toBe(503);
    expect((await account.get('/v1/balances')).status).toBe(200);
    await setFault(account, { path: '/v1', times: 100, status: 503, when: 'before' });
    expect((await account.get('/v1/deposits')).status).toBe(503);
    const taken = await sendToService(`/sandbox/faults?account=${account.account}`, { method: 'DELETE' });
    expect(taken.status).toBeLessThan(300);
    expect((await account.get('/v1/deposits')).status).toBe(200);
  });

  test('a fault is counted once per attempt, however often the browser sends it', async () => {
    const account = await accountWith(BTC);
    await setFault(account, { method: 'GET', path: '/v1/balances', times: 1, status: 500, when: 'before' });
    const attempt = { 'x-attempt': crypto.randomUUID() };
    expect((await account.get('/v1/balances', attempt)).status).toBe(500);
    expect((await account.get('/v1/balances', attempt)).status).toBe(500);
    expect((await account.get('/v1/balances', { 'x-attempt': crypto.randomUUID() })).status).toBe(200);
  });

  test('what was received is listed with method and path, and never the API key', async () => {
    const account = await accountWith(ETH);
    await account.get('/v1/balances?limit=3');
    await post(account);
    const requests = await receivedRequests(account);
    expect(requests.slice(-2)).toMatchObject([
      { method: 'GET', path: expect.stringContaining('/v1/balances') as unknown },
      { method: 'POST', path },
    ]);
    expect(JSON.stringify(requests)).not.toContain(account.key);
  });
});

describe('the account’s clock', () => {
  test('dates its answers and what is created in it, in both directions', async () => {
    const account = await accountWith(BTC);
    for (const seconds of [86_400, -5 * 86_400]) {
      const before = Date.parse((await account.get('/v1/balances')).headers.get('date') ?? '');
      await advance(account, seconds);
      const answer = await post(account);
      const after = Date.parse(answer.headers.get('date') ?? '');
      expect(Math.abs((after - before) / 1000 - seconds)).toBeLessThan(10);
      expect(Math.abs(bodyOf<{ created_at: number }>(answer).created_at - after / 1000)).toBeLessThan(10);
    }
  });

  test('an account without events stays unchanged', async () => {
    const account = await accountWith(BTC);
    await post(account);
    await advance(account, 30 * 86_400);
    await advance(account, 1);
    const [first, second] = [await account.get('/v1/balances'), await account.get('/v1/balances')];
    expect(first.text).toBe(second.text);
  });
});
