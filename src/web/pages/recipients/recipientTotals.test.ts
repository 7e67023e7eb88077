import { expect, test } from 'vitest';
import type { Payment } from '#src/shared/overview/payment.ts';
import { paidInAsset, periodsAt, paidByAsset } from './recipientTotals.ts';

const at = (month: number, day: number, year = 2026): number => Date.UTC(year, month - 1, day, 12) / 1000;
const TODAY = '2026-11-26';
const TRON = { chain: 'tron', address: 'TWiummto6eeTBsUoD6N2rgqYNTGvwTft86' };

const sent = (amount: unknown, created_at: unknown, of: Partial<Payment> = {}): Payment => ({
  kind: 'withdrawal',
  id: `wd_${String(created_at)}${String(amount)}`,
  status: 'completed',
  asset: 'USDT',
  ...TRON,
  amount,
  fee: null,
  created_at,
  ...of,
});

test('the twelve months end with this one, and the year never starts before them', () => {
  const { months, monthStart, yearStart, since } = periodsAt(TODAY, 'utc');
  expect(months).toHaveLength(12);
  expect([months[0], months.at(-1)]).toEqual(['2025-12-01', '2026-11-01']);
  expect([since, yearStart, monthStart].map((unix) => new Date(unix * 1000).toISOString().slice(0, 10))).toEqual([
    '2025-12-01',
    '2026-01-01',
    '2026-11-01',
  ]);
  const december = periodsAt('2026-12-31', 'utc');
  expect(december.since).toBe(december.yearStart);
});

test('paid sums are exact, per asset, and only of completed payments', () => {
  const [usdt, eth] = paidByAsset(
    [
      sent('0.000000000000000001', at(11, 1)),
      sent('90071992547409930000', at(11, 2)),
      sent('10', at(1, 1)),
      sent('5', at(12, 31, 2025)),
      sent('7', at(11, 3), { status: 'failed' }),
      sent('8', at(11, 4), { status: 'broadcasted' }),
      sent(null, at(11, 5)),
      sent('1', null),
      sent('2', at(10, 1), { asset: 'ETH' }),
    ],
    periodsAt(TODAY, 'utc'),
    'utc',
  );
  expect(usdt?.month).toEqual({ sum: '90071992547409930000.000000000000000001', count: 3, unreadable: 1, untimed: 1 });
  expect(usdt?.year).toEqual({ sum: '90071992547409930010.000000000000000001', count: 4, unreadable: 1, untimed: 1 });
  expect(usdt?.inProgress).toEqual({ sum: '8', count: 1, unreadable: 0, untimed: 0 });
  expect(usdt?.byMonth.slice(0, 2)).toEqual(['5', '10']);
  expect(eth).toMatchObject({ asset: 'ETH', month: { sum: '0', count: 0 }, year: { sum: '2', count: 1 } });
});

test('the chart shows the first asset unless the URL names another, even if some payments have no asset', () => {
  const payments = [sent('1', at(11, 1)), sent('1', at(11, 2)), sent('1', at(11, 3), { asset: null })];
  const totals = paidByAsset(payments, periodsAt(TODAY, 'utc'), 'utc');
  expect(paidInAsset(totals, null)?.asset).toBe('USDT');
  expect(paidInAsset(totals, '')?.asset).toBeNull();
});
