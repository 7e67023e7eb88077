import { expect, test } from 'vitest';
import {
  accountWith,
  addDeposit,
  ADDRESSES,
  BTC,
  control,
  ETH,
  setFault,
  setWithdrawal,
  withdrawalFields,
  type Account,
} from './controls.ts';
import { amount } from './examples.ts';
import { bodyOf, type Item } from './http.ts';
import { sendToService } from './service.ts';

interface State {
  now: number;
  deposits: Item[];
  withdrawals: Item[];
}

const read = async <T>(path: string): Promise<T> => bodyOf<T>(await sendToService(path, {}));
const state = ({ account }: Account) => read<State>(`/sandbox/accounts/${account}`);
const withdraw = async (account: Account, amount: string) =>
  bodyOf<Item>(await account.post('/v1/withdrawals', withdrawalFields(BTC, amount), crypto.randomUUID()));

test('an account lists what is in flight, until it completes or fails', async () => {
  const account = await accountWith(BTC);
  expect(await state(account)).toMatchObject({ deposits: [], withdrawals: [] });
  const sent = await withdraw(account, '0.1');
  const late = await addDeposit(account, { ...ETH, status: 'pending' });
  const lost = await addDeposit(account, { ...ETH, status: 'pending' });
  const { now, deposits, withdrawals } = await state(account);
  expect(Math.abs(now - Date.now() / 1000)).toBeLessThan(30);
  expect(withdrawals).toMatchObject([{ id: sent.id, object: 'withdrawal', status: 'pending', amount: '0.1' }]);
  expect(deposits.map(({ id }) => id)).toEqual([lost.id, late.id]);

  await setWithdrawal(account, sent.id, { status: 'failed' });
  for (const [{ id }, status] of [
    [late, 'completed'],
    [lost, 'failed'],
  ] as const) {
    const moved = await control(`/sandbox/deposits/${id}`, { account: account.account, status });
    expect(moved.json).toMatchObject({ id, object: 'deposit', status });
  }
  expect(await state(account)).toMatchObject({ deposits: [], withdrawals: [] });
  expect((await account.get('/v1/balances/ETH')).json).toMatchObject({ available: amount('10'), pending: amount('0') });
  await expect(
    control(`/sandbox/deposits/${lost.id}`, { account: account.account, status: 'completed' }),
  ).rejects.toThrow('this deposit has ended: it is failed');
});

test('advancing the clock returns what fell due, in order', async () => {
  const account = await accountWith(BTC);
  const { id } = await withdraw(account, '0.1');
  const deposit = await addDeposit(account, { ...ETH, status: 'pending' });
  const { json } = await control('/sandbox/clock', { account: account.account, advance: 3600 });
  expect(json).toMatchObject({
    fell_due: [
      { kind: 'withdrawal', id, status: 'broadcasted' },
      { kind: 'deposit', id: deposit.id, status: 'completed' },
      { kind: 'withdrawal', id, status: 'completed' },
    ],
  });
});

test('an armed fault is listed with its remaining uses', async () => {
  const account = await accountWith(BTC);
  await setFault(account, { method: 'GET', path: '/v1/balances', status: 503, times: 3 });
  await account.get('/v1/balances');
  const { data } = await read<{ data: object[] }>(`/sandbox/faults?account=${account.account}`);
  expect(data).toMatchObject([{ id: expect.stringMatching(/^flt_/) as unknown, left: 2, fault: { status: 503 } }]);
});

test('the ledger control counts the withdrawals to one address', async () => {
  const account = await accountWith(BTC);
  await withdraw(account, '0.1');
  await withdraw(account, '0.2');
  const ledger = `/sandbox/ledger?account=${account.account}`;
  expect(await read(`${ledger}&address=${ADDRESSES['bitcoin']}`)).toMatchObject({ to_address: 2 });
  expect(await read(`${ledger}&address=elsewhere`)).toMatchObject({ to_address: 0 });
  expect(await read(ledger)).not.toHaveProperty('to_address');
});
