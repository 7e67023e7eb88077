import { beforeAll, describe, expect, test } from 'vitest';
import { addDeposit, BTC, ETH, newAccount, type Account } from './controls.ts';
import type { Item } from './http.ts';
import { all, distinctIds } from './walk.ts';

const START = 1_750_000_000;

/** Twelve deposits, a minute apart, of two assets and two statuses, the middle two in the same second. */
async function twelveDeposits(): Promise<Account> {
  const account = await newAccount({ deposits: 0, assets: 0 });
  for (let index = 0; index < 12; index += 1) {
    await addDeposit(account, {
      ...(index % 2 === 0 ? BTC : ETH),
      amount: `${index + 1}`,
      status: index % 3 === 0 ? 'pending' : 'completed',
      created_at: START + (index === 6 ? 5 : index) * 60,
    });
  }
  return account;
}

describe('filters of GET /v1/deposits (4.4), on fixed deposits', () => {
  let account: Account;
  let everything: Item[];
  const amounts = async (query: string): Promise<number[]> =>
    (await account.page(`/v1/deposits?limit=100&${query}`)).data.map((deposit) =>
      parseInt(deposit.received_amount, 10),
    );
  beforeAll(async () => {
    account = await twelveDeposits();
    everything = await all(account, '/v1/deposits');
  });

  test('a deposit is as in the contract', () => {
    expect(everything.at(-2)).toMatchObject({
      id: expect.stringMatching(/^dep_[0-9A-Za-z]{20,}$/) as unknown,
      object: 'deposit',
      status: 'completed',
      asset: 'ETH',
      chain: 'ethereum',
      received_amount: '2',
      created_at: START + 60,
    });
  });

  test('status', async () => {
    expect(await amounts('status=pending')).toEqual([10, 7, 4, 1]);
    expect(await amounts('status=completed&order=asc')).toEqual([2, 3, 5, 6, 8, 9, 11, 12]);
  });

  test('asset', async () => {
    expect(await amounts('asset=BTC')).toEqual([11, 9, 7, 5, 3, 1]);
  });

  test('created_after and created_before exclude the bound', async () => {
    expect(await amounts(`created_after=${START + 540}`)).toEqual([12, 11]);
    expect(await amounts(`created_before=${START + 120}`)).toEqual([2, 1]);
    expect(await amounts(`created_after=${START}&created_before=${START + 180}&order=asc`)).toEqual([2, 3]);
  });

  test('all of them together', async () => {
    const query = `status=completed&asset=ETH&created_after=${START}&created_before=${START + 660}&order=asc`;
    expect(await amounts(query)).toEqual([2, 6, 8]);
  });

  test('order=asc is the reverse of the default, deposits of one second included', async () => {
    const oldestFirst = await all(account, '/v1/deposits', { order: 'asc', limit: '1' });
    expect(oldestFirst).toEqual(everything.toReversed());
    expect(distinctIds(oldestFirst)).toHaveLength(12);
  });

  test('paging by one meets each of them once under every filter', async () => {
    for (const filters of [{ asset: 'BTC' }, { status: 'completed' }, { created_after: String(START + 240) }]) {
      for (const order of [{}, { order: 'asc' }]) {
        const whole = await all(account, '/v1/deposits', { ...filters, ...order });
        expect(await all(account, '/v1/deposits', { ...filters, ...order, limit: '1' })).toEqual(whole);
      }
    }
  });

  test('reverse iteration walks back to the beginning', async () => {
    const seen: string[] = [];
    for (let before = everything.at(-1)?.id; before !== undefined;) {
      const page: { data: Item[] } = await account.page(`/v1/deposits?limit=4&ending_before=${before}`);
      seen.unshift(...page.data.map((deposit) => deposit.id));
      before = page.data[0]?.id;
    }
    expect(seen).toEqual(everything.slice(0, -1).map((deposit) => deposit.id));
  });
});
