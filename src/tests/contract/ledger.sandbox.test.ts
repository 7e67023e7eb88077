import { describe, expect, test } from 'vitest';
import { sumUnits, units } from './amounts.ts';
import {
  accountWith,
  addDeposit,
  advance,
  BTC,
  control,
  ETH,
  ledger,
  newAccount,
  setWithdrawal,
  withdrawalFields,
  type Account,
} from './controls.ts';
import { amount, expectList } from './examples.ts';
import { all } from './walk.ts';
import { bodyOf } from './http.ts';

interface Entry {
  id: string;
  asset: string;
  amount: string;
}
interface Balance {
  asset: string;
  available: string;
  pending: string;
  locked: string;
  total: string;
}

/** Per asset the merchant's entries add up to the balance's total, and the whole journal to zero. */
async function expectBooksToAgree(account: Account): Promise<void> {
  await advance(account, 5);
  const entries = await all<Entry>(account, '/v1/ledger-entries');
  const balances = await all<Balance>(account, '/v1/balances');
  const assets = new Set([...entries, ...balances].map((record) => record.asset));
  for (const asset of assets) {
    const sum = sumUnits(entries.filter((entry) => entry.asset === asset).map((entry) => entry.amount));
    const held = balances.find((balance) => balance.asset === asset);
    expect(sum, asset).toBe(units(held?.total ?? 'none'));
    expect(sum, asset).toBe(sumUnits([held?.available, held?.pending, held?.locked]));
  }
  const { sums } = await ledger(account);
  expect(Object.keys(sums).sort()).toEqual([...assets].sort());
  for (const [asset, sum] of Object.entries(sums)) expect(units(sum), asset).toBe(0n);
}

describe('the ledger is double-entry, and the balances are its snapshots', () => {
  test('after deposits of every status', async () => {
    const account = await newAccount({ deposits: 0, assets: 0 });
    for (const status of ['pending', 'completed', 'failed']) {
      await addDeposit(account, { ...BTC, status });
      await addDeposit(account, { ...ETH, amount: '0.000000000000000001', status });
    }
    await expectBooksToAgree(account);
    expect((await account.get('/v1/balances/BTC')).json).toMatchObject({
      available: amount('1'),
      pending: amount('1'),
    });
  });

  test('after withdrawals of every status, refused ones included', async () => {
    const account = await accountWith({ ...BTC, amount: '10' }, ETH);
    for (const status of ['pending', 'broadcasted', 'completed', 'failed']) {
      for (const of of [BTC, ETH]) {
        const { json } = await account.post('/v1/withdrawals', withdrawalFields(of, '0.7'), crypto.randomUUID());
        if (status !== 'pending') await setWithdrawal(account, (json as { id: string }).id, { status });
      }
      await account.post('/v1/withdrawals', withdrawalFields(BTC, '1000'), crypto.randomUUID());
      await expectBooksToAgree(account);
    }
  });

  test('after a swap: value leaves one balance and enters another, as two entries of one source', async () => {
    const account = await accountWith({ ...BTC, amount: '2' }, ETH);
    const { account: id } = account;
    const sides = { from: 'BTC', from_amount: '0.5', to: 'ETH', to_amount: '7.000000000000000001' };
    const swapped = bodyOf<{ id: string }>(await control('/sandbox/swaps', { account: id, ...sides }));
    const entries = await all<Entry>(account, '/v1/ledger-entries', { source: swapped.id });
    const moved = entries.map((entry) => [entry.asset, units(entry.amount)]);
    expect(moved).toEqual([
      ['ETH', units('7.000000000000000001')],
      ['BTC', units('-0.5')],
    ]);
    expect((await account.get('/v1/balances/BTC')).json).toMatchObject({ available: amount('1.5') });
    await expectBooksToAgree(account);
    for (const wrong of [{ from_amount: '9' }, { to: 'BTC' }, { to: 'DOGE' }, { to_amount: '0' }]) {
      await expect(control('/sandbox/swaps', { account: id, ...sides, ...wrong })).rejects.toThrow('400');
    }
    await expectBooksToAgree(account);
  });

  test('on a seeded account, to the last digit', async () => {
    await expectBooksToAgree(await newAccount({ deposits: 300, assets: 7 }));
  });

  test('the list of entries is an envelope like any other, each entry once', async () => {
    const account = await newAccount({ deposits: 40, assets: 3 });
    expectList(await account.get('/v1/ledger-entries'), { id: expect.stringMatching(/^le_/) as unknown });
    const entries = await all<Entry>(account, '/v1/ledger-entries');
    expect(await all<Entry>(account, '/v1/ledger-entries', { limit: '9' })).toEqual(entries);
    expect(await all<Entry>(account, '/v1/ledger-entries', { order: 'asc' })).toEqual(entries.toReversed());
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
  });
});

describe('amounts are exact (row 46)', () => {
  const huge = `${'123456789'.repeat(6)}987654`;
  const fine = `0.${'0'.repeat(35)}1`;
  const both = `${'9'.repeat(24)}.${'123456789'.repeat(4)}`;

  test.each([huge, fine, both, '0.00000001', '1000000000000000000000'])('%s there and back', async (exact) => {
    const account = await accountWith({ ...ETH, amount: exact });
    const { data } = await account.page('/v1/deposits');
    expect(data[0]?.received_amount).toBe(exact);
    expect((await account.get('/v1/balances/ETH')).json).toMatchObject({
      available: amount(exact),
      total: amount(exact),
    });
    const answer = await account.post('/v1/withdrawals', withdrawalFields(ETH, exact), crypto.randomUUID());
    expect(answer.text).toContain(answer.status === 201 ? `"${exact}"` : 'fee');
    await expectBooksToAgree(account);
  });

  test('a sum of far-apart amounts loses no digit', async () => {
    const account = await accountWith({ ...ETH, amount: huge }, { ...ETH, amount: fine });
    expect((await account.get('/v1/balances/ETH')).json).toMatchObject({
      available: amount(`${huge}.${fine.slice(2)}`),
    });
  });
});

describe('balances are eventually consistent', () => {
  test('updated_at moves with the snapshot, and time passes by the account’s own clock', async () => {
    const account = await accountWith(BTC);
    const read = async (): Promise<{ updated_at: number; locked: string }> =>
      bodyOf<{ updated_at: number; locked: string }>(await account.get('/v1/balances/BTC'));
    const before = await read();
    await advance(account, 3600);
    await account.post('/v1/withdrawals', withdrawalFields(BTC, '0.5'), crypto.randomUUID());
    await advance(account, 5);
    const after = await read();
    expect(units(after.locked)).toBe(units('0.5'));
    expect(after.updated_at - before.updated_at).toBeGreaterThanOrEqual(3599);
    const { headers } = await account.get('/v1/balances/BTC');
    const ahead = Date.parse(headers.get('date') ?? '') - Date.now();
    expect(Math.abs(ahead / 1000 - 3605)).toBeLessThan(30);
  });
});
