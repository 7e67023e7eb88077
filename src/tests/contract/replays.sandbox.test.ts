import { describe, expect, test } from 'vitest';
import {
  accountWith,
  addDeposit,
  BTC,
  control,
  setFault,
  withdrawalFields,
  withdrawalsOf,
  type Account,
} from './controls.ts';
import { expectError, expectReplay, withdrawalExample } from './examples.ts';
import { bodyOf, type HttpAnswer } from './http.ts';
import { client } from './service.ts';

async function expectReplayed(account: Account, path: string, body: unknown, status: number): Promise<HttpAnswer> {
  const key = crypto.randomUUID();
  const original = await account.post(path, body, key);
  expect(original.status, original.text).toBe(status);
  expectReplay(await account.post(path, body, key), original);
  expectReplay(await account.post(path, body, key), original);
  return original;
}

describe('replays (4.7, row 71)', () => {
  test('a 201', async () => {
    const account = await accountWith(BTC);
    const { json } = await expectReplayed(account, '/v1/withdrawals', withdrawalFields(BTC, '0.25'), 201);
    expect(json).toMatchObject({ ...withdrawalExample, amount: '0.25', status: 'pending' });
    expect(await withdrawalsOf(account)).toHaveLength(1);
  });

  test('a deposit address, a charge', async () => {
    const account = await accountWith();
    await expectReplayed(account, '/v1/deposits', { asset: 'BTC', chain: 'bitcoin' }, 201);
    await expectReplayed(account, '/v1/charges', { asset: 'BTC', chain: 'bitcoin', amount: '0.1' }, 201);
  });

  test('a 400 and a 404', async () => {
    const account = await accountWith(BTC);
    expectError(await expectReplayed(account, '/v1/withdrawals', '{', 400), 400, 'invalid_request_error');
    expectError(await expectReplayed(account, '/v1/webhook-deliveries/whd_unknown/replay', {}, 404), 404, 'not_found');
  });

  test('a 204, and the 409 of a delivery in progress', async () => {
    const account = await accountWith();
    const delivery = async (status: string): Promise<string> => {
      const { id } = await addDeposit(account, { ...BTC, status });
      return `/v1/webhook-deliveries/${id.replace('dep_', 'whd_')}/replay`;
    };
    const empty = await expectReplayed(account, await delivery('completed'), {}, 204);
    expect(empty.text).toBe('');
    const busy = await expectReplayed(account, await delivery('pending'), {}, 409);
    expectError(busy, 409, 'delivery_in_progress');
  });
});

describe('what is stored and what is not', () => {
  test('a 401, then the same key works (row 76)', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    const body = withdrawalFields(BTC, '0.1');
    expectError(await client('wrong').post('/v1/withdrawals', body, key), 401, 'authentication_error');
    await control(`/sandbox/accounts/${account.account}/revoke-key`, { key: account.key });
    expectError(await account.post('/v1/withdrawals', body, key), 401, 'authentication_error');
    await control(`/sandbox/accounts/${account.account}/restore-key`, { key: account.key });
    const answer = await account.post('/v1/withdrawals', body, key);
    expect(answer.status).toBe(201);
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
  });

  test('a 429, then the same key works (row 77)', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    await setFault(account, {
      method: 'POST',
      path: '/v1/withdrawals',
      when: 'before',
      status: 429,
      headers: { 'Retry-After': '1' },
    });
    const refused = await account.post('/v1/withdrawals', withdrawalFields(BTC, '0.1'), key);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    const answer = await account.post('/v1/withdrawals', withdrawalFields(BTC, '0.1'), key);
    expect(answer.status).toBe(201);
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
  });

  test('insufficient funds, then topped up: the same key keeps its 400, a new one executes (row 84)', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    const body = withdrawalFields(BTC, '1.5');
    const original = await account.post('/v1/withdrawals', body, key);
    expectError(original, 400, null, 'amount');
    await addDeposit(account, { ...BTC, status: 'completed' });
    expectReplay(await account.post('/v1/withdrawals', body, key), original);
    expect((await account.post('/v1/withdrawals', body, crypto.randomUUID())).status).toBe(201);
  });

  test('a retry after success with nothing left is the stored success (row 85)', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    const body = withdrawalFields(BTC, '1');
    const original = await account.post('/v1/withdrawals', body, key);
    expect(original.status).toBe(201);
    expectError(await account.post('/v1/withdrawals', body, crypto.randomUUID()), 400, null, 'amount');
    expectReplay(await account.post('/v1/withdrawals', body, key), original);
  });

  test('a second API key of the account shares its idempotency records', async () => {
    const account = await accountWith(BTC);
    const more = bodyOf<{ key: string }>(await control(`/sandbox/accounts/${account.account}/keys`, {}));
    const key = crypto.randomUUID();
    const original = await account.post('/v1/withdrawals', withdrawalFields(BTC, '0.1'), key);
    expect(more.key).not.toBe(account.key);
    expectReplay(await client(more.key).post('/v1/withdrawals', withdrawalFields(BTC, '0.1'), key), original);
  });

  test('a GET ignores an Idempotency-Key', async () => {
    const account = await accountWith(BTC);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [one, two] = [await account.get('/v1/balances', headers), await account.get('/v1/balances', headers)];
    expect(two.headers.has('idempotency-replayed')).toBe(false);
    expect(two.headers.get('request-id')).not.toBe(one.headers.get('request-id'));
  });
});
