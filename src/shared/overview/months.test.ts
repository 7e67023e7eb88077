import { expect, test } from 'vitest';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { equalsLedger, monthsOf, upToDate, withStatements } from './months.ts';

const at = (month: number, day: number) => Date.UTC(2026, month - 1, day, 12) / 1000;
let count = 0;
const entry = (type: string, amount: unknown, created_at: unknown, source: string, book = 'available') => ({
  id: `le_${(count += 1)}`,
  asset: 'ETH',
  amount,
  created_at,
  type,
  source,
  book,
});

const entries = [
  entry('deposit', '5', at(11, 3), 'dep_2', 'pending'),
  entry('swap', '-0.5', at(11, 2), 'swp_1'),
  // Paid in November; only locked in October.
  entry('withdrawal', '-2', at(11, 1), 'wd_1', 'locked'),
  entry('withdrawal', '2', at(10, 31), 'wd_1', 'locked'),
  entry('withdrawal', '-2', at(10, 31), 'wd_1'),
  entry('deposit', '10.000000000000000001', at(10, 5), 'dep_1', 'pending'),
  entry('opening', '1', at(9, 1), 'ob_1'),
];
const history = { entries, total: '13.500000000000000001', now: at(11, 22), zone: 'utc' as const, reached: null };

test('each month’s closing is the next one’s opening, with the movements in between', () => {
  const months = monthsOf({ ...history, feeOf: () => '0.1' });
  expect(months?.map(({ month, opening, closing }) => [month, opening, closing])).toEqual([
    ['2026-11', '11.000000000000000001', '13.500000000000000001'],
    ['2026-10', '1', '11.000000000000000001'],
    ['2026-09', '0', '1'],
  ]);
  expect(months?.[0]).toMatchObject({
    from: '2026-11-01',
    to: '2026-11-22',
    deposits: '5',
    withdrawals: '-1.9',
    swaps: '-0.5',
    fees: '-0.1',
    other: '0',
    fees_unknown: false,
  });
  expect(months?.[1]).toMatchObject({ withdrawals: '0', fees: '0' });
  expect(months?.[2]).toMatchObject({ other: '1' });
});

test('only fully loaded months are listed, an unknown fee stays in its withdrawal, and an unreadable entry gives no months', () => {
  const months = monthsOf({ ...history, reached: at(10, 2), feeOf: () => null });
  expect(months).toHaveLength(1);
  expect(months?.[0]).toMatchObject({ withdrawals: '-2', fees: '0', fees_unknown: true });
  expect(monthsOf({ ...history, entries: [entry('deposit', 5, at(11, 3), 'dep_9')], feeOf: () => null })).toBeNull();
});

test('the balance is compared with the ledger only if all of it is loaded', () => {
  expect(equalsLedger(history)).toBe(true);
  expect(equalsLedger({ ...history, total: '13.5' })).toBe(false);
  expect(equalsLedger({ ...history, reached: 1 })).toBeNull();
});

test('past months stay unchanged while the balance lags the ledger', () => {
  const lagging = { total: '8.500000000000000001', changedAt: at(11, 2) };
  const total = upToDate(lagging, { entries, reached: null });
  expect(total).toBe(history.total);
  expect(monthsOf({ ...history, total, feeOf: () => '0.1' })?.[1]?.closing).toBe('11.000000000000000001');
  expect(upToDate({ ...lagging, changedAt: null }, { entries, reached: null })).toBe(lagging.total);
  // The total may include entries newer than its stated time, which must not be added again.
  expect(upToDate({ ...lagging, total: history.total }, { entries, reached: null })).toBe(history.total);
});

test('a closed month has the figures of its statement, and late entries are an adjustment of the month after it', () => {
  const late = entry('deposit', '444.44', at(10, 20), 'dep_late', 'pending');
  const live = monthsOf({
    ...history,
    entries: [...entries, late],
    total: '457.940000000000000001',
    feeOf: () => '0.1',
  });
  const counts = { deposits: 1, withdrawals: 0, fees: 0, swaps: 0, other: 0, entries: 2 };
  const moves = { deposits: '10.000000000000000001', withdrawals: '0', fees: '0', swaps: '0', other: '0' };
  const sum = { asset: 'ETH', opening: '1', ...moves, adjustments: '0', closing: '11.000000000000000001', counts };
  const period = { from: Date.UTC(2026, 9, 1) / 1000, to: Date.UTC(2026, 10, 1) / 1000, sums: [sum] };
  const closed = (of: object) => [{ ...period, ...of }] as unknown as ClosedPeriod[];
  const lines = (months: ReturnType<typeof withStatements>) =>
    months.map(({ month, opening, adjustments, closing, is_closed }) => [
      month,
      opening,
      adjustments,
      closing,
      is_closed,
    ]);
  expect(lines(withStatements(live ?? [], { closed: closed({}), asset: 'ETH', zone: 'utc' }))).toEqual([
    ['2026-11', '11.000000000000000001', '444.44', '457.940000000000000001', false],
    ['2026-10', '1', '0', '11.000000000000000001', true],
    ['2026-09', '0', '0', '1', false],
  ]);
  // A period without sums, or for other days than a month's, changes nothing.
  for (const other of [{ sums: null }, { from: period.from + 1 }])
    expect(withStatements(live ?? [], { closed: closed(other), asset: 'ETH', zone: 'utc' })).toEqual(live);
});
