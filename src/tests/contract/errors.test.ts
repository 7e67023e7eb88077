import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from './examples.ts';
import type { Client } from './http.ts';
import { anyAccount, client, sendToService } from './service.ts';

const READS = [
  '/v1/balances',
  '/v1/balances/BTC',
  '/v1/deposits',
  '/v1/withdrawals/wd_unknown',
  '/v1/balances?limit=0',
  '/v1/withdrawals/wd_unknown?limit=0',
];
const POSTS = ['/v1/deposits', '/v1/withdrawals', '/v1/charges', '/v1/webhook-deliveries/whd_unknown/replay'];

describe('authentication (part 5)', () => {
  test.each(READS)('GET %s without a key, or with a wrong one, is 401', async (path) => {
    expectError(await sendToService(path, {}), 401, 'authentication_error');
    for (const key of ['wrong', ' ', 'x'.repeat(5000)]) {
      expectError(await client(key).get(path), 401, 'authentication_error');
    }
  });

  test.each(POSTS)('POST %s without a key is 401, whatever the body', async (path) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    for (const body of ['{}', 'not json']) {
      expectError(await sendToService(path, { method: 'POST', body, headers }), 401, 'authentication_error');
    }
  });

  test('an Authorization header is not accepted as a key', async () => {
    expectError(
      await sendToService('/v1/balances', { headers: { authorization: 'Bearer anything' } }),
      401,
      'authentication_error',
    );
  });
});

describe('errors (part 7)', () => {
  let client: Client;
  beforeAll(async () => {
    client = await anyAccount();
  });

  test.each(['wd_unknown', 'wd_%00', 'wd_..%2f..', '%F0%9F%92%B0', `wd_${'x'.repeat(3000)}`])(
    'a withdrawal %s that does not exist is 404 not_found',
    async (id) => {
      expectError(await client.get(`/v1/withdrawals/${id}`), 404, 'not_found');
    },
  );

  test.each(['/', '/v1', '/v1/', '/v1/nothing', '/v2/balances', '/v1/balances/BTC/more'])('%s is 404', async (path) => {
    expectError(await client.get(path), 404, null);
  });

  test.each([
    ['DELETE', '/v1/balances'],
    ['PUT', '/v1/deposits'],
    ['POST', '/v1/balances'],
    ['PATCH', '/v1/withdrawals/wd_unknown'],
  ])('%s %s is refused with the envelope', async (method, path) => {
    const answer = await sendToService(path, {
      method,
      headers: { 'x-api-key': client.key, 'content-type': 'application/json' },
    });
    expect([404, 405]).toContain(answer.status);
    expectError(answer, answer.status, null);
  });

  test('every answer has a Request-Id of its own and a Date', async () => {
    const ids = new Set<string | null>();
    for (const path of [...READS, '/v1/nothing']) {
      const { headers } = await client.get(path);
      ids.add(headers.get('request-id'));
      expect(headers.get('request-id')).toMatch(/^req_.+$/);
      expect(Number.isNaN(Date.parse(headers.get('date') ?? ''))).toBe(false);
      expect(headers.has('idempotency-replayed')).toBe(false);
    }
    expect(ids.size).toBe(READS.length + 1);
  });
});

describe('idempotency of refusals (4.7), on any service because nothing is performed', () => {
  let client: Client;
  beforeAll(async () => {
    client = await anyAccount();
  });

  test('a 400 is stored: the same bytes, status and Request-Id, and the marker only on the replay', async () => {
    const key = crypto.randomUUID();
    const first = await client.post('/v1/withdrawals', '{"asset":"BTC"}', key);
    expectError(first, 400, 'invalid_request_error');
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    const second = await client.post('/v1/withdrawals', '{"asset":"BTC"}', key);
    expect(second.text).toBe(first.text);
    expect(second.status).toBe(first.status);
    expect(second.headers.get('request-id')).toBe(first.headers.get('request-id'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('the same key with another body is 409 idempotency_key_reused', async () => {
    const key = crypto.randomUUID();
    await client.post('/v1/withdrawals', '{"asset":"BTC"}', key);
    const conflict = await client.post('/v1/withdrawals', '{"asset":"ETH"}', key);
    expectError(conflict, 409, 'idempotency_key_reused');
    expect(conflict.json).toMatchObject({ error: { type: 'idempotency_error' } });
  });
});
