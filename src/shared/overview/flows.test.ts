import { expect, test } from 'vitest';
import type { Payment } from './payment.ts';
import { inZone } from '#src/tests/inZone.ts';
import { flowsOf, loadedDaysOf, periodOf, sumsByDay } from './flows.ts';

/** 22 Nov 2026, 12:00 UTC. */
const NOW = Date.UTC(2026, 10, 22, 12) / 1000;
const DAY = 86_400;

const received = (id: string, amount: unknown, daysAgo: number, of: Partial<Payment> = {}): Payment => ({
  kind: 'deposit',
  id,
  status: 'completed',
  asset: 'ETH',
  chain: 'ethereum',
  address: null,
  amount,
  fee: null,
  created_at: NOW - daysAgo * DAY,
  ...of,
});

test('a period ends today, and the previous one ends at the same time of day', () => {
  const week = periodOf(NOW, 'utc', 7);
  expect(week.days).toEqual(['16', '17', '18', '19', '20', '21', '22'].map((day) => `2026-11-${day}`));
  expect(week.start).toBe(Date.UTC(2026, 10, 16) / 1000);
  expect(week.before).toEqual({ start: Date.UTC(2026, 10, 9) / 1000, end: NOW - 7 * DAY + 1 });
});

test('days are loaded if all their payments are; today always counts', () => {
  const week = periodOf(NOW, 'utc', 7);
  expect(loadedDaysOf(week, null, 'utc')).toEqual(week.days);
  expect(loadedDaysOf(week, week.start - 1, 'utc')).toEqual(week.days);
  expect(loadedDaysOf(week, NOW - 2 * DAY, 'utc')).toEqual(['2026-11-21', '2026-11-22']);
  expect(loadedDaysOf(week, NOW, 'utc')).toEqual(['2026-11-22']);
});

test('sums of completed payments are exact and per asset; other payments are counted by status', () => {
  const rows = [
    received('1', '3.000000000000000001', 0),
    received('2', '10000000000000000000000', 6),
    received('3', '5', 1, { status: 'pending' }),
    received('4', '6', 1, { status: 'failed' }),
    received('5', 7, 1),
    received('6', '8', 7),
    received('7', '1', 0, { asset: 'XYZ' }),
    received('8', '1', 0, { created_at: null }),
    received('9', '2', 0, { asset: 'BTC' }),
    received('10', '3', 0, { asset: 'BTC', status: 'confirmed' }),
  ];
  const [eth, btc, other] = flowsOf(rows, periodOf(NOW, 'utc', 7), ['ETH', 'BTC']);
  expect(eth).toEqual({
    asset: 'ETH',
    sum: '10000000000000000000003.000000000000000001',
    count: 3,
    // No comparison unless every amount is readable.
    before: null,
    done: [{ status: 'completed', count: 3 }],
    others: [
      { status: 'pending', count: 1 },
      { status: 'failed', count: 1 },
    ],
    unreadable: 1,
    untimed: 1,
  });
  // A list filters by one status at a time, so each has its own count.
  const done = [
    { status: 'completed', count: 1 },
    { status: 'confirmed', count: 1 },
  ];
  expect(btc).toMatchObject({ asset: 'BTC', sum: '5', count: 2, before: '0', done });
  expect(other).toMatchObject({ asset: 'XYZ', sum: '1' });
  expect(sumsByDay(rows, 'ETH', periodOf(NOW, 'utc', 2).days, 'utc')).toEqual(['0', '3.000000000000000001']);
});

test('a payment without a readable time may belong to any period, so sums are not compared', () => {
  const rows = [received('1', '3', 0), received('2', '4', 7), received('3', '5', 0, { created_at: NOW * 1000 })];
  const [eth] = flowsOf(rows, periodOf(NOW, 'utc', 7), ['ETH']);
  expect(eth).toMatchObject({ sum: '3', count: 1, untimed: 1, before: null });
});

test('the previous period ends at the same time of day even if one of its days had 25 hours', () => {
  inZone('America/New_York', () => {
    const local = (day: number, month: number, hour: number) => new Date(2026, month - 1, day, hour).getTime() / 1000;
    const { before } = periodOf(local(23, 11, 13), 'local', 30);
    expect(before).toEqual({ start: local(25, 9, 0), end: local(24, 10, 13) + 1 });
  });
});
