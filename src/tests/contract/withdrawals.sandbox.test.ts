import { describe, expect, test } from 'vitest';
import { units } from './amounts.ts';
import {
  accountWith,
  addDeposit,
  ADDRESSES,
  advance,
  BTC,
  ETH,
  setWithdrawal,
  withdrawalFields,
  type Account,
} from './controls.ts';
import { balanceExample, expectError, expectList, withdrawalExample } from './examples.ts';
import { bodyOf, type Item } from './http.ts';

/** Available, pending, locked and total of one asset, after holding them to 2.1. */
async function balance(
  account: Account,
  asset: string,
): Promise<Record<'available' | 'pending' | 'locked' | 'total', bigint>> {
  const answer = await account.get(`/v1/balances/${asset}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json).toMatchObject({ ...balanceExample, asset });
  const { available, pending, locked, total } = bodyOf<Record<string, string>>(answer);
  const amounts = { available: units(available), pending: units(pending), locked: units(locked), total: units(total) };
  expect(amounts.total).toBe(amounts.available + amounts.pending + amounts.locked);
  return amounts;
}

async function withdraw(
  account: Account,
  amount: string,
  of = BTC,
): Promise<Item & { fee: string; tx_hash: string | null }> {
  const answer = await account.post('/v1/withdrawals', withdrawalFields(of, amount), crypto.randomUUID());
  expect(answer.status, answer.text).toBe(201);
  expect(answer.json).toMatchObject({ ...withdrawalExample, status: 'pending', ...withdrawalFields(of, amount) });
  return bodyOf<Item & { fee: string; tx_hash: string | null }>(answer);
}

describe('a withdrawal from request to chain (2.2, part 3)', () => {
  test('is read by its id, exactly as it was created', async () => {
    const account = await accountWith(BTC);
    const created = await withdraw(account, '0.25');
    expect(created.id).toMatch(/^wd_[0-9A-Za-z]{20,}$/);
    expect(created.tx_hash ?? null).toBeNull();
    const answer = await account.get(`/v1/withdrawals/${created.id}`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(created);
  });

  test('locks its amount while it is in flight; the snapshot follows', async () => {
    const account = await accountWith(BTC);
    await withdraw(account, '0.25');
    await advance(account, 5);
    expect(await balance(account, 'BTC')).toEqual({
      available: units('0.75'),
      pending: 0n,
      locked: units('0.25'),
      total: units('1'),
    });
  });

  test('broadcasted has a tx_hash and is still locked; completed takes amount from the total, the fee out of it', async () => {
    const account = await accountWith(BTC);
    const { id } = await withdraw(account, '0.25');
    const txHash = 'ab'.repeat(32);
    await setWithdrawal(account, id, { status: 'broadcasted', tx_hash: txHash });
    expect((await account.get(`/v1/withdrawals/${id}`)).json).toMatchObject({ status: 'broadcasted', tx_hash: txHash });
    expect(await balance(account, 'BTC')).toMatchObject({ locked: units('0.25'), total: units('1') });
    await setWithdrawal(account, id, { status: 'completed' });
    const { json } = await account.get(`/v1/withdrawals/${id}`);
    expect(json).toMatchObject({ status: 'completed', tx_hash: txHash, amount: '0.25' });
    const fee = units((json as { fee: string }).fee);
    expect(fee >= 0n && fee < units('0.25')).toBe(true);
    expect(await balance(account, 'BTC')).toEqual({
      available: units('0.75'),
      pending: 0n,
      locked: 0n,
      total: units('0.75'),
    });
  });

  test('a failed one releases its lock', async () => {
    const account = await accountWith(BTC);
    const { id } = await withdraw(account, '1');
    await setWithdrawal(account, id, { status: 'failed' });
    expect((await account.get(`/v1/withdrawals/${id}`)).json).toMatchObject({ status: 'failed' });
    expect(await balance(account, 'BTC')).toEqual({
      available: units('1'),
      pending: 0n,
      locked: 0n,
      total: units('1'),
    });
    expect((await withdraw(account, '1')).id).not.toBe(id);
  });

  test('everything can be withdrawn, to the last unit, and not one more', async () => {
    const account = await accountWith({ ...ETH, amount: '1.000000000000000001' });
    const tooMuch = withdrawalFields(ETH, '1.000000000000000002');
    expectError(await account.post('/v1/withdrawals', tooMuch, crypto.randomUUID()), 400, null, 'amount');
    await withdraw(account, '1.000000000000000001', ETH);
    await advance(account, 5);
    expect(await balance(account, 'ETH')).toMatchObject({ available: 0n, locked: units('1.000000000000000001') });
  });

  test('the ledger decides, not the lagging snapshot', async () => {
    const account = await accountWith(BTC);
    await withdraw(account, '0.9');
    const body = withdrawalFields(BTC, '0.2');
    expectError(await account.post('/v1/withdrawals', body, crypto.randomUUID()), 400, null, 'amount');
  });

  test('pending funds cannot be spent', async () => {
    const account = await accountWith();
    await addDeposit(account, { ...BTC, status: 'pending' });
    expect(await balance(account, 'BTC')).toEqual({
      available: 0n,
      pending: units('1'),
      locked: 0n,
      total: units('1'),
    });
    const answer = await account.post('/v1/withdrawals', withdrawalFields(BTC, '0.5'), crypto.randomUUID());
    expectError(answer, 400, null, 'amount');
  });

  test('the list has them newest first, with the filters of deposits', async () => {
    const account = await accountWith(BTC, ETH);
    const [first, second, third] = [
      await withdraw(account, '0.1'),
      await withdraw(account, '1', ETH),
      await withdraw(account, '0.2'),
    ];
    await setWithdrawal(account, second.id, { status: 'failed' });
    expectList(await account.get('/v1/withdrawals'), withdrawalExample);
    const ids = async (query: string): Promise<string[]> =>
      (await account.page(`/v1/withdrawals?${query}`)).data.map((withdrawal) => withdrawal.id);
    expect(await ids('')).toEqual([third.id, second.id, first.id]);
    expect(await ids('order=asc')).toEqual([first.id, second.id, third.id]);
    expect(await ids('asset=BTC')).toEqual([third.id, first.id]);
    expect(await ids('status=failed')).toEqual([second.id]);
    expect(await ids(`limit=1&starting_after=${third.id}`)).toEqual([second.id]);
    expect(await ids(`limit=1&ending_before=${first.id}`)).toEqual([second.id]);
  });
});

const good = withdrawalFields(BTC, '0.1');
const { amount: _, ...withoutAmount } = good;

describe('the body of a withdrawal: every fault a 400 that names it', () => {
  test.each<[string, string, unknown]>([
    ['a missing asset', 'asset', { ...good, asset: undefined }],
    ['an asset that is no string', 'asset', { ...good, asset: 7 }],
    ['a missing chain', 'chain', { ...good, chain: undefined }],
    ['a missing address', 'address', { ...good, address: undefined }],
    ['an empty address', 'address', { ...good, address: '' }],
    ['a missing amount', 'amount', withoutAmount],
    ['an amount as a JSON number', 'amount', { ...good, amount: 0.1 }],
    ['null', 'amount', { ...good, amount: null }],
    ...['0', '-0.1', '1e-8', '0x10', '1_000', '+1', '.5', '5.', 'NaN', 'Infinity', '', ' 0.1', '0,1', '１'].map(
      (amount): [string, string, unknown] => [`amount ${JSON.stringify(amount)}`, 'amount', { ...good, amount }],
    ),
    ['37 decimals', 'amount', { ...good, amount: `0.${'0'.repeat(36)}1` }],
  ])('%s', async (_, names, body) => {
    const account = await accountWith(BTC);
    const answer = await account.post('/v1/withdrawals', body, crypto.randomUUID());
    expectError(answer, 400, null, names);
    expect((await account.page('/v1/withdrawals')).data).toEqual([]);
  });

  test.each(['', 'null', '[]', '"text"', '{"asset":', '\u0000', `{"asset":"${'x'.repeat(2_000_000)}"}`])(
    'a body that is no JSON object (%#)',
    async (body) => {
      const account = await accountWith(BTC);
      const answer = await account.post('/v1/withdrawals', body, crypto.randomUUID());
      expect([400, 413], answer.text).toContain(answer.status);
      expectError(answer, answer.status, null);
    },
  );

  test('another account cannot read or list it', async () => {
    const [one, two] = [await accountWith(BTC), await accountWith(BTC)];
    const { id } = await withdraw(one, '0.1');
    expectError(await two.get(`/v1/withdrawals/${id}`), 404, 'not_found');
    expect((await two.page('/v1/withdrawals')).data).toEqual([]);
    expect(ADDRESSES['bitcoin']).toBe(good['address']);
  });
});
