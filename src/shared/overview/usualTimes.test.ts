import { describe, expect, test } from 'vitest';
import type { Payment } from './payment.ts';
import { durationsOf, usualTimes } from './usualTimes.ts';

const T = 1_790_000_000;

let entries = 0;
const entry = (source: string, book: string, amount: string, created_at: unknown, asset = 'ETH') => ({
  id: `le_${(entries += 1)}`,
  asset,
  amount,
  created_at,
  book,
  source,
});
const arrived = (source: string, at: number, seconds: number, asset = 'ETH') => [
  entry(source, 'pending', '1.5', at, asset),
  entry(source, 'pending', '-1.5', at + seconds, asset),
  entry(source, 'available', '1.5', at + seconds, asset),
];
const paid = (source: string, at: number, seconds: number) => [
  entry(source, 'available', '-2', at),
  entry(source, 'locked', '2', at),
  entry(source, 'locked', '-1.9', at + seconds),
  entry(source, 'locked', '-0.1', at + seconds),
];
const payment = (of: Partial<Payment>): Payment => ({
  kind: 'deposit',
  id: 'dep_x',
  status: 'pending',
  asset: 'ETH',
  chain: 'ethereum',
  address: null,
  amount: '1',
  fee: null,
  ...of,
});

describe('how long payments take', () => {
  test('a deposit from detected to available, a withdrawal from locked to paid', () => {
    expect(durationsOf([...arrived('dep_1', T, 180), ...paid('wd_1', T, 840)])).toEqual([
      { kind: 'deposit', source: 'dep_1', asset: 'ETH', seconds: 180 },
      { kind: 'withdrawal', source: 'wd_1', asset: 'ETH', seconds: 840 },
    ]);
  });

  test('failed or unfinished payments, and entries without books, have no duration', () => {
    const [detected, gone] = arrived('dep_1', T, 180);
    const released = [
      entry('wd_1', 'locked', '2', T),
      entry('wd_1', 'locked', '-2', T + 60),
      entry('wd_1', 'available', '2', T + 60),
    ];
    const odd = [entry('dep_3', '', '1', T), entry('dep_3', 'available', 'x', T), entry('dep_3', 'pending', '1', null)];
    expect(durationsOf([detected!, gone!, ...released, ...arrived('dep_2', T, 9).slice(0, 1), ...odd])).toEqual([]);
  });

  test('the median is per asset and chain, or per asset if the chain is unknown, and needs three payments', () => {
    const chains = new Map([1, 2, 3].map((at) => [`dep_${at}`, 'ethereum']));
    const three = [60, 180, 90_000].flatMap((seconds, at) => arrived(`dep_${at + 1}`, T, seconds));
    const usualOf = usualTimes(durationsOf(three), (source) => chains.get(source) ?? null);
    expect(usualOf(payment({}))).toBe(180);
    expect(usualOf(payment({ chain: 'polygon' }))).toBe(180);
    expect(usualOf(payment({ asset: 'BTC' }))).toBeNull();
    expect(usualOf(payment({ kind: 'withdrawal' }))).toBeNull();
    expect(usualTimes(durationsOf(three.slice(0, 6)), () => null)(payment({}))).toBeNull();
  });
});
