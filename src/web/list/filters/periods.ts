import type { ListFilters } from '#src/shared/contract/contract.ts';
import { dateOf, daysBefore, type Zone } from '#src/shared/time.ts';
import { boundsOfDays, type DayRange, dayWords } from '#src/shared/createdRange.ts';
import { keysOf } from './filterTable.ts';

/** Periods relative to today. */
export const PERIODS = {
  today: 'Today',
  yesterday: 'Yesterday',
  'last-7-days': 'Last 7 days',
  'last-30-days': 'Last 30 days',
  'this-month': 'This month',
  'last-month': 'Last month',
};
export type Period = keyof typeof PERIODS;
export const PERIOD_NAMES = keysOf(PERIODS);

export function daysOfPeriod(period: Period, today: string): DayRange {
  const first = `${today.slice(0, 8)}01`;
  const [yesterday, before] = [daysBefore(today, 1), daysBefore(first, 1)];
  const days: Record<Period, DayRange> = {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    'last-7-days': { from: daysBefore(today, 6), to: today },
    'last-30-days': { from: daysBefore(today, 29), to: today },
    'this-month': { from: first, to: today },
    'last-month': { from: `${before.slice(0, 8)}01`, to: before },
  };
  return days[period];
}

export function boundsOfPeriod(period: Period, zone: Zone): ListFilters & { period: Period } {
  const today = dateOf(Date.now() / 1000, zone);
  return { ...boundsOfDays(daysOfPeriod(period, today), zone), period };
}

/** The days of a period, shown beside its name: "1–31 Oct", "28 Oct – 3 Nov", "30 Dec 2025 – 2 Jan 2026". */
export function shortDays({ from, to }: DayRange): string {
  const [first, last] = [dayWords(from).split(' '), dayWords(to).split(' ')];
  if (from === to) return first.slice(0, 2).join(' ');
  if (first[2] !== last[2]) return `${first.join(' ')} – ${last.join(' ')}`;
  return first[1] === last[1] ? `${first[0]}–${last[0]} ${last[1]}` : `${first[0]} ${first[1]} – ${last[0]} ${last[1]}`;
}
