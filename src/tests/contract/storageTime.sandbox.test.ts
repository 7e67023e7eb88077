import { describe, expect, test } from 'vitest';
import { accountWith, addDeposit, advance, BTC, withdrawalFields } from './controls.ts';
import { expectReplay } from './examples.ts';

const DAY = 24 * 60 * 60;

describe('storage time (4.7, rows 78 and 86)', () => {
  test('a second before 24 h it replays; after 24 h the key is new', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    const body = withdrawalFields(BTC, '0.1');
    const original = await account.post('/v1/withdrawals', body, key);
    await advance(account, DAY - 30);
    expectReplay(await account.post('/v1/withdrawals', body, key), original);
    await advance(account, 31);
    const next = await account.post('/v1/withdrawals', body, key);
    expect(next.status).toBe(201);
    expect(next.headers.has('idempotency-replayed')).toBe(false);
    expect(next.text).not.toBe(original.text);
    expectReplay(await account.post('/v1/withdrawals', body, key), next);
  });

  test('after 24 h another body under the key is no conflict', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    await account.post('/v1/withdrawals', withdrawalFields(BTC, '0.1'), key);
    await advance(account, DAY + 1);
    expect((await account.post('/v1/withdrawals', withdrawalFields(BTC, '0.2'), key)).status).toBe(201);
  });

  test('a replay does not prolong the record', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    const body = withdrawalFields(BTC, '0.1');
    const original = await account.post('/v1/withdrawals', body, key);
    await advance(account, DAY / 2);
    expectReplay(await account.post('/v1/withdrawals', body, key), original);
    await advance(account, DAY / 2 + 1);
    expect((await account.post('/v1/withdrawals', body, key)).headers.has('idempotency-replayed')).toBe(false);
  });

  test('records, Request-Ids and cursors stay valid when the clock is set back', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    const body = withdrawalFields(BTC, '0.1');
    for (let count = 0; count < 6; count += 1) await addDeposit(account, { ...BTC, status: 'completed' });
    const first = await account.page('/v1/deposits?limit=3');
    const original = await account.post('/v1/withdrawals', body, key);
    await advance(account, -3 * DAY);
    expectReplay(await account.post('/v1/withdrawals', body, key), original);
    await addDeposit(account, { ...BTC, status: 'completed' });
    const rest = await account.page(
      `/v1/deposits?limit=4&starting_after=${encodeURIComponent(first.next_cursor ?? '')}`,
    );
    const known = new Set(first.data.map((deposit) => deposit.id));
    expect(rest.data.filter((deposit) => known.has(deposit.id))).toEqual([]);
    expect(rest.data).toHaveLength(4);
  });
});
