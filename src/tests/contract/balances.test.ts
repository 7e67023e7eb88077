import { beforeAll, describe, expect, test } from 'vitest';
import { sumUnits, units } from './amounts.ts';
import { balanceExample, expectError, expectList } from './examples.ts';
import type { Client } from './http.ts';
import { anyAccount } from './service.ts';
import { all } from './walk.ts';

interface Balance {
  id: string;
  asset: string;
  available: string;
  pending: string;
  locked: string;
  total: string;
}

describe('balances (2.1, 4.2, 4.3)', () => {
  let client: Client;
  beforeAll(async () => {
    client = await anyAccount();
  });

  test('the list is an envelope of balances', async () => {
    expectList(await client.get('/v1/balances'), balanceExample);
  });

  test('total is available + pending + locked to the last digit, nothing below zero', async () => {
    for (const balance of await all<Balance>(client, '/v1/balances')) {
      const parts = [balance.available, balance.pending, balance.locked];
      expect(units(balance.total), balance.asset).toBe(sumUnits(parts));
      for (const part of parts) expect(units(part) >= 0n, balance.asset).toBe(true);
    }
  });

  test('page by page the list shows each asset once, the same as at once', async () => {
    const assets = (await all<Balance>(client, '/v1/balances')).map((balance) => balance.asset);
    const onePerPage = (await all<Balance>(client, '/v1/balances', { limit: '1' })).map((balance) => balance.asset);
    expect(onePerPage).toEqual(assets);
    expect(new Set(assets).size).toBe(assets.length);
  });

  test('one balance is read by its asset', async () => {
    for (const { asset } of (await all<Balance>(client, '/v1/balances')).slice(0, 3)) {
      const answer = await client.get(`/v1/balances/${encodeURIComponent(asset)}`);
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({ ...balanceExample, asset });
    }
  });

  test('an asset never held is 404 not_found', async () => {
    expectError(await client.get('/v1/balances/NEVERHELD'), 404, 'not_found');
  });
});
