import { expect, test } from 'vitest';
import { placeKey } from '#src/lib/chains/lookAlike.ts';
import { type Names, paymentIn, within1Percent } from './match.ts';
import { understand } from './understand.ts';

const NOW = Date.UTC(2026, 10, 22, 6) / 1000;
const YESTERDAY = Date.UTC(2026, 10, 21, 18, 4, 11) / 1000;
const ADDRESS = 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj';
const NAMES: Names = {
  recipients: new Map([[placeKey({ chain: 'tron', address: ADDRESS }), 'Acme Hosting']]),
  labels: new Map([['0xours', 'Order 88214']]),
  notes: new Map([['deposit:dep_2', { reference: 'INV-7', note: 'paid late' }]]),
};

function find(text: string, list: 'deposits' | 'withdrawals', row: Record<string, unknown>) {
  const wanted = understand(text, { assets: ['ETH', 'USDT'], zone: 'utc', now: NOW });
  return paymentIn(list, row, wanted, NAMES, 'utc');
}

const eth = {
  id: 'dep_1',
  asset: 'ETH',
  status: 'completed',
  received_amount: '0.500000000000000000',
  created_at: YESTERDAY,
};
const usdt = {
  id: 'wd_1',
  asset: 'USDT',
  status: 'failed',
  amount: '99',
  chain: 'tron',
  address: ADDRESS,
  created_at: NOW,
};

test.each([
  ['0.5 ETH', 'exact'],
  ['0.5', 'exact'],
  ['0.5 eth yesterday', 'exact'],
  ['0.5 eth today', null],
  ['0.504 eth', 'near'],
  ['0.506 eth', null],
  ['0.504', null],
  ['0.5 usdt', null],
  ['0.5 eth failed', null],
  ['0.5 eth sent', null],
])('a deposit of 0.5 ETH of yesterday, looked for by %s: %s', (text, fit) => {
  expect(find(text, 'deposits', eth)?.fit ?? null).toBe(fit);
});

test('a payment is found by the name of who was paid, by a reference, a note or the label of an address', () => {
  expect(find('acme', 'withdrawals', usdt)?.name).toBe('Acme Hosting');
  expect(find('acme failed', 'withdrawals', usdt)?.name).toBe('Acme Hosting');
  expect(find('inv-7', 'deposits', { ...eth, id: 'dep_2' })?.name).toBe('INV-7');
  expect(find('paid late', 'deposits', { ...eth, id: 'dep_2' })?.name).toBe('INV-7');
  expect(find('88214', 'deposits', eth)).toBeNull();
  expect(find('order 88214', 'deposits', { ...eth, to: '0xours' })?.name).toBe('Order 88214');
});

test('a hash is enough, and the amount beside it finds what carries none', () => {
  const hash = `0x${'d0'.repeat(32)}`;
  expect(find(hash, 'deposits', eth)).toBeNull();
  expect(find(hash, 'withdrawals', { ...usdt, tx_hash: hash.toUpperCase().replace('0X', '0x') })?.fit).toBe('named');
  expect(find(`I paid 0.5 ETH yesterday, hash ${hash}`, 'deposits', eth)?.fit).toBe('exact');
});

test('an amount that is none, and a row that is none, fit nothing', () => {
  expect(find('0.5 eth', 'deposits', { ...eth, received_amount: 0.5 })).toBeNull();
  expect(find('0.5 eth', 'deposits', { ...eth, id: 7 })).toBeNull();
});

test.each([
  ['0.5', '0.495', '0.505'],
  ['1250', '1237.5', '1262.5'],
  ['0.000000000000000001', '0.00000000000000000099', '0.00000000000000000101'],
])('1 %% around %s is %s to %s', (amount, least, most) => {
  expect(within1Percent(amount)).toEqual([least, most]);
});
