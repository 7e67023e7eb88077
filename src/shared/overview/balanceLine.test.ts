import { expect, test } from 'vitest';
import { closingBalances, daysBack, movedByDay } from './balanceLine.ts';

const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour) / 1000;
const moved = (id: string, amount: unknown, created_at: unknown) => ({ id, asset: 'ETH', amount, created_at });

test('a day’s closing balance is the current balance minus everything that moved since', () => {
  const days = ['2026-11-20', '2026-11-21', '2026-11-22'];
  const entries = [
    moved('1', '0.5', at(22, 1)),
    moved('2', '-0.000000000000000001', at(21, 23)),
    moved('3', '9', at(19, 1)),
  ];
  const byDay = movedByDay(entries, 'utc');
  expect(byDay && closingBalances(byDay, '10', days)).toEqual(['9.500000000000000001', '9.5', '10']);
  expect(movedByDay([moved('1', 5, at(22, 1))], 'utc')).toBeNull();
});

test('days end today, and begin after the day on which loading stopped', () => {
  expect(daysBack('2026-11-01', 3, null, 'utc')).toEqual(['2026-10-30', '2026-10-31', '2026-11-01']);
  expect(daysBack('2026-11-22', 3, at(20, 9), 'utc')).toEqual(['2026-11-21', '2026-11-22']);
});
