import { daysBefore, dayStart, isPlausibleTime } from '#src/shared/time.ts';

// Calendar days such as "2026-11-30", without a zone: only "today" depends on one.

/** A payment counts as due from this many days before its day. */
const DUE_DAYS = 2;
const DAY_MS = 86_400_000;

/** How often a standing payment repeats, counted from its first day. */
export type Rhythm =
  | { unit: 'week'; count: number }
  /** In a month without that day, on the month's last one. */
  | { unit: 'month'; count: number; day: number };

export interface Schedule {
  first: string;
  rhythm: Rhythm;
}

export function isDay(text: string): boolean {
  return isPlausibleTime(dayStart(text, 'utc'));
}

/** How many days later the second day is; negative if it is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** Months since the year 0. */
function monthOf(day: string): number {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return year * 12 + month - 1;
}

/** The day in this month, or the month's last one. */
function dayInMonth(month: number, day: number): string {
  const year = Math.floor(month / 12);
  const lastDay = new Date(Date.UTC(year, (month % 12) + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month % 12, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** Whether the rhythm has a payment on the first day. */
export function startsOn({ first, rhythm }: Schedule): boolean {
  return rhythm.unit === 'week' || dayInMonth(monthOf(first), rhythm.day) === first;
}

/** Whether it is the last day of a month with fewer than 31 days. */
export function isLastOfShorterMonth(day: string): boolean {
  return dayInMonth(monthOf(day), 31) === day && !day.endsWith('-31');
}

/** The first payment day after `after`; the first of all if that is null. */
export function nextDay({ first, rhythm }: Schedule, after: string | null): string {
  if (after === null || after < first) return first;
  if (rhythm.unit === 'week') {
    const days = rhythm.count * 7;
    return daysBefore(first, -days * (Math.floor(daysBetween(first, after) / days) + 1));
  }
  const start = monthOf(first);
  const month = start + Math.floor((monthOf(after) - start) / rhythm.count) * rhythm.count;
  const inMonth = dayInMonth(month, rhythm.day);
  return inMonth > after ? inMonth : dayInMonth(month + rhythm.count, rhythm.day);
}

export function isDue(day: string, today: string): boolean {
  return daysBetween(today, day) <= DUE_DAYS;
}

/** Those that are due, the earliest first. */
export function dueOf<T extends { date: string }>(all: readonly T[], today: string): T[] {
  return dueFirst(
    all.filter(({ date }) => isDue(date, today)),
    ({ date }) => date,
  );
}

/** Earliest day first; rows without a day come last, in their order. */
export function dueFirst<T>(rows: readonly T[], dateOf: (row: T) => string | null): T[] {
  const sortable = (row: T) => dateOf(row) ?? 'without';
  return rows.toSorted((a, b) => (sortable(a) < sortable(b) ? -1 : sortable(a) > sortable(b) ? 1 : 0));
}
