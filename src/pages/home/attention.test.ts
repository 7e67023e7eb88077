import { expect, test } from 'vitest';
import type { OpenPayments } from '#src/api/openPayments.ts';
import type { Payment } from '#src/api/payments.ts';
import { attentionOf, listed, paymentsCheck } from './attention.ts';

const NOW = 1_790_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

const payment = (id: string, status: string, age: number, kind: Payment['kind'] = 'deposit'): Payment => ({
  kind,
  id,
  status,
  asset: 'ETH',
  chain: 'ethereum',
  address: null,
  amount: '1',
  fee: null,
  created_at: NOW - age,
});
const read = (of: Partial<OpenPayments>): OpenPayments => ({
  requestId: null,
  date: NOW,
  readAt: NOW + 5,
  open: [],
  failed: [],
  partly: [],
  ...of,
});
const found = (payments: OpenPayments[], handled: string[] = [], threshold = HOUR) =>
  attentionOf({
    operations: [],
    payments,
    balances: undefined,
    handled: new Set(handled),
    usualOf: ({ chain }) => (chain === 'ethereum' ? 180 : null),
    threshold,
  });

test('the worst first: failed withdrawals, what is stuck by how long, failed deposits', () => {
  const deposits = read({
    open: [
      payment('dep_1', 'pending', 2 * HOUR),
      payment('dep_2', 'pending', 3 * DAY),
      payment('dep_3', 'pending', 60),
    ],
    failed: [payment('dep_4', 'failed', HOUR)],
  });
  const withdrawals = read({ failed: [payment('wd_1', 'failed', DAY, 'withdrawal')] });
  expect(found([deposits, withdrawals]).map((each) => ('payment' in each ? each.payment.id : ''))).toEqual([
    'wd_1',
    'dep_2',
    'dep_1',
    'dep_4',
  ]);
});

test('what is stuck does not depend on when the last payment arrived', () => {
  const open = [payment('dep_1', 'on_hold', 3 * DAY)];
  expect(found([read({ open })])).toHaveLength(1);
  // A quiet month: nothing else is there at all.
  const alone = open.map((row) => ({ ...row, chain: 'unheard-of' }));
  expect(found([read({ open: alone })])).toHaveLength(1);
  expect(found([read({ open: alone })], [], 4 * DAY)).toEqual([]);
});

test('a failed payment stays for seven days or until somebody has handled it', () => {
  const failed = [payment('wd_1', 'failed', 8 * DAY, 'withdrawal'), payment('wd_2', 'failed', DAY, 'withdrawal')];
  expect(found([read({ failed })])).toHaveLength(1);
  expect(found([read({ failed })], ['withdrawal:wd_2'])).toEqual([]);
});

test('a check says what was found of a list and whether that is all', () => {
  expect(paymentsCheck('deposit', undefined, null)).toMatchObject({ state: 'loading' });
  expect(paymentsCheck('deposit', undefined, new Error('lost'))).toMatchObject({ state: 'failed', what: 'deposits' });
  const open = [payment('dep_1', 'pending', 60)];
  expect(paymentsCheck('deposit', read({ open }), null)).toMatchObject({ state: 'whole', words: '1 pending deposit' });
  const partly = [{ status: 'pending', reason: null }];
  expect(paymentsCheck('deposit', read({ open, partly }), null)).toMatchObject({
    state: 'partly',
    words: 'the 1 oldest pending deposits',
  });
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
});
