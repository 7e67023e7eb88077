import { expect, test } from 'vitest';
import type { OpenPayments } from './openPayments.ts';
import type { Payment } from './payment.ts';
import { attentionOf } from './attention.ts';
import { type LastMove, lastMoves } from './usualTimes.ts';

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
const noLedger = () => undefined;
const found = (payments: OpenPayments[], handled: string[] = [], threshold = HOUR, lastMoveOf: LastMove = noLedger) =>
  attentionOf({
    operations: [],
    batches: [],
    payments,
    balances: undefined,
    outside: [],
    handled: new Set(handled),
    expected: new Set(),
    usualOf: ({ chain }) => (chain === 'ethereum' ? 180 : null),
    lastMoveOf,
    threshold,
  });

test('the order is failed withdrawals, stuck payments by waiting time, failed deposits', () => {
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

test('a payment is stuck regardless of when the last payment arrived', () => {
  const open = [payment('dep_1', 'on_hold', 3 * DAY)];
  expect(found([read({ open })])).toHaveLength(1);
  // A quiet month without any other payments.
  const alone = open.map((row) => ({ ...row, chain: 'unheard-of' }));
  expect(found([read({ open: alone })])).toHaveLength(1);
  expect(found([read({ open: alone })], [], 4 * DAY)).toEqual([]);
});

test('a failed payment is listed for seven days after it failed, or until someone has handled it', () => {
  const failed = [
    payment('wd_late', 'failed', 8 * DAY, 'withdrawal'),
    payment('wd_new', 'failed', DAY, 'withdrawal'),
    payment('wd_old', 'failed', 20 * DAY, 'withdrawal'),
    payment('dep_old', 'failed', 8 * DAY),
  ];
  const entry = (source: string, age: number) => ({
    id: `${source} ${age}`,
    asset: 'ETH',
    amount: '1',
    source,
    created_at: NOW - age,
  });
  const rows = [entry('wd_late', HOUR), entry('wd_new', HOUR), entry('wd_late', 8 * DAY), entry('wd_old', 19 * DAY)];
  const failedListed = (reached: number | null, handled: string[] = []) =>
    found([read({ failed })], handled, HOUR, lastMoves({ rows, reached })).map((each) =>
      each.kind === 'failed' ? [each.payment.id, each.at] : [],
    );
  expect(failedListed(null)).toEqual([
    ['wd_late', NOW - HOUR],
    ['wd_new', NOW - HOUR],
  ]);
  expect(failedListed(null, ['withdrawal:wd_late'])).toEqual([['wd_new', NOW - HOUR]]);
  // Time of failure unknown: failed withdrawals are always listed.
  const blind = found([read({ failed })]).map((each) => ('payment' in each ? each.payment.id : ''));
  expect(blind).toEqual(['wd_late', 'wd_new', 'wd_old']);
  expect(lastMoves({ rows, reached: NOW - 6 * DAY })('dep_old', NOW - 7 * DAY)).toBeUndefined();
});

test('failed deposits share a line by status, failed withdrawals do not', () => {
  const deposits = read({
    failed: [
      payment('dep_1', 'failed', HOUR),
      payment('dep_2', 'failed', 2 * HOUR),
      payment('dep_3', 'expired', HOUR),
      payment('dep_4', 'failed', DAY),
    ],
    partly: [{ status: 'failed', reason: null }],
  });
  const withdrawals = read({
    failed: [payment('wd_1', 'failed', DAY, 'withdrawal'), payment('wd_2', 'failed', DAY, 'withdrawal')],
  });
  const lines = found([deposits, withdrawals], ['deposit:dep_2']).map((each) => {
    if (each.kind === 'failed-deposits') return [each.status, each.orMore, ...each.payments.map(({ id }) => id)];
    return 'payment' in each ? each.payment.id : each.kind;
  });
  expect(lines).toEqual(['wd_1', 'wd_2', 'dep_3', ['failed', true, 'dep_1', 'dep_4']]);
});

test('withdrawals from outside share the last line, without those that somebody has seen', () => {
  const [one, two, three] = ['wd_1', 'wd_2', 'wd_3'].map((id) => payment(id, 'completed', DAY, 'withdrawal'));
  const listed = (outside: Payment[], expected: string[] = []) =>
    attentionOf({
      operations: [],
      batches: [],
      payments: [read({ failed: [payment('dep_4', 'failed', HOUR)] })],
      balances: undefined,
      outside,
      handled: new Set(),
      expected: new Set(expected),
      usualOf: () => null,
      lastMoveOf: noLedger,
      threshold: HOUR,
    }).map((each) => ('payments' in each ? each.payments.map(({ id }) => id) : each.kind));
  expect(listed([one!, two!, three!], ['withdrawal:wd_2'])).toEqual(['failed', ['wd_1', 'wd_3']]);
  expect(listed([two!], ['withdrawal:wd_2'])).toEqual(['failed']);
});

test('a withdrawal from outside that somebody has seen is listed again once it failed', () => {
  const failed = payment('wd_1', 'failed', HOUR, 'withdrawal');
  const listed = attentionOf({
    operations: [],
    batches: [],
    payments: [read({ failed: [failed] })],
    balances: undefined,
    outside: [failed],
    handled: new Set(),
    expected: new Set(['withdrawal:wd_1']),
    usualOf: () => null,
    lastMoveOf: noLedger,
    threshold: HOUR,
  });
  expect(listed).toMatchObject([{ kind: 'failed', payment: { id: 'wd_1' } }]);
});
