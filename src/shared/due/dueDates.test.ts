import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysBefore, dateOf } from '#src/shared/time.ts';
import {
  daysBetween,
  dueFirst,
  dueOf,
  isDay,
  isDue,
  isLastOfShorterMonth,
  nextDay,
  type Rhythm,
  type Schedule,
  startsOn,
} from './dueDates.ts';
import { dayFromToday, dueWords, rhythmWords } from './dueWords.ts';

const monthly = (day: number, count = 1) => ({ unit: 'month' as const, count, day });
const weekly = (count = 1) => ({ unit: 'week' as const, count });

/** The first days of a schedule. */
function daysOf(schedule: Schedule, count: number): string[] {
  const days = [nextDay(schedule, null)];
  while (days.length < count) days.push(nextDay(schedule, days.at(-1) ?? ''));
  return days;
}

describe('the days of a standing payment', () => {
  test('on the 31st are the last days of shorter months, and February’s 29th in a leap year', () => {
    expect(daysOf({ first: '2027-12-31', rhythm: monthly(31) }, 5)).toEqual([
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
    ]);
    expect(daysOf({ first: '2027-01-30', rhythm: monthly(30) }, 3)).toEqual(['2027-01-30', '2027-02-28', '2027-03-30']);
    expect(daysOf({ first: '2027-02-28', rhythm: monthly(31) }, 2)).toEqual(['2027-02-28', '2027-03-31']);
  });

  test('every 3 months and every year', () => {
    expect(daysOf({ first: '2026-11-30', rhythm: monthly(31, 3) }, 3)).toEqual([
      '2026-11-30',
      '2027-02-28',
      '2027-05-31',
    ]);
    expect(daysOf({ first: '2028-02-29', rhythm: monthly(29, 12) }, 3)).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
    ]);
  });

  test('every second week stay on their weekday, across the year and the clock change', () => {
    expect(daysOf({ first: '2026-12-28', rhythm: weekly(2) }, 8)).toEqual([
      '2026-12-28',
      '2027-01-11',
      '2027-01-25',
      '2027-02-08',
      '2027-02-22',
      '2027-03-08',
      '2027-03-22',
      '2027-04-05',
    ]);
  });
});

const anyDay = fc.integer({ min: 0, max: 30_000 }).map((days) => daysBefore('2010-01-01', -days));
const anyCount = fc.integer({ min: 1, max: 60 });
const weeks = fc
  .record({ first: anyDay, count: anyCount })
  .map(({ first, count }) => ({ first, rhythm: weekly(count) }));
/** A rhythm that starts on the last day of a shorter month may be on any later day of longer months. */
const months = fc.record({ first: anyDay, count: anyCount, later: fc.nat(3) }).map(({ first, count, later }) => {
  const day = Number(first.slice(8));
  return { first, rhythm: monthly(isLastOfShorterMonth(first) ? Math.min(31, day + later) : day, count) };
});
const anySchedule: fc.Arbitrary<Schedule> = fc.oneof(weeks, months);

test('the next day after any day is the first payment day that follows it', () => {
  fc.assert(
    fc.property(anySchedule, fc.integer({ min: -400, max: 4_000 }), (schedule, offset) => {
      expect(startsOn(schedule)).toBe(true);
      const after = daysBefore(schedule.first, -offset);
      const next = nextDay(schedule, after);
      expect(next > after).toBe(true);
      // Stepping day by day from the first skips none.
      let day = schedule.first;
      while (day <= after) day = nextDay(schedule, day);
      expect(next).toBe(day);
      expect(isDay(next)).toBe(next < '2100-01-01');
    }),
  );
});

test('consecutive payments are the rhythm’s number of weeks apart', () => {
  fc.assert(
    fc.property(weeks, (schedule) => {
      const [one = '', other = ''] = daysOf(schedule, 2);
      expect(daysBetween(one, other)).toBe(7 * schedule.rhythm.count);
    }),
  );
});

test('consecutive payments are the rhythm’s number of months apart, on its day or on the last day of a shorter month', () => {
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  fc.assert(
    fc.property(months, (schedule) => {
      const { count, day } = schedule.rhythm;
      const [one = '', other = ''] = daysOf(schedule, 2);
      const dayOfOther = Number(other.slice(8));
      const isLast = daysBefore(other, -1).endsWith('-01');
      expect(monthOf(other) - monthOf(one)).toBe(count);
      expect(dayOfOther === day || (isLast && dayOfOther < day)).toBe(true);
    }),
  );
});

test('a rhythm can’t start on a day that it never has', () => {
  expect(startsOn({ first: '2026-11-29', rhythm: monthly(31) })).toBe(false);
  expect(startsOn({ first: '2026-11-30', rhythm: monthly(31) })).toBe(true);
  expect(startsOn({ first: '2028-02-28', rhythm: monthly(29) })).toBe(false);
  expect(['2026-02-30', '2026-2-3', '1999-12-31', '2100-01-01', '', 'today'].filter(isDay)).toEqual([]);
  expect(
    ['2026-02-28', '2027-02-28', '2028-02-28', '2028-02-29', '2026-11-30', '2026-12-31'].map(isLastOfShorterMonth),
  ).toEqual([true, true, false, true, true, false]);
});

describe('due', () => {
  test('is what is two days away, today, or past', () => {
    const due = ['2026-11-20', '2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01', '2027-11-28'];
    expect(due.filter((date) => isDue(date, '2026-11-28'))).toEqual(due.slice(0, 4));
    expect(dueOf([{ date: '2026-11-30' }, { date: '2026-12-05' }, { date: '2026-11-01' }], '2026-11-28')).toEqual([
      { date: '2026-11-01' },
      { date: '2026-11-30' },
    ]);
  });

  test('depends on the zone only through its current day', () => {
    const at = Date.UTC(2026, 10, 28, 23, 30) / 1000;
    expect(isDue('2026-12-01', dateOf(at, 'utc'))).toBe(false);
    expect(isDue('2026-12-01', dateOf(at, { name: 'Europe/Berlin' }))).toBe(true);
    // A day of 23 hours counts as a whole day.
    const beforeChange = Date.UTC(2027, 2, 27, 22, 59) / 1000;
    expect(daysBetween(dateOf(beforeChange, { name: 'Europe/Berlin' }), '2027-03-29')).toBe(2);
  });

  test('comes first, and rows without a day keep their order', () => {
    const rows = [{ id: 'b' }, { id: 'a' }, { id: 'c', date: '2026-12-01' }, { id: 'd', date: '2026-11-30' }];
    expect(dueFirst(rows, ({ date }) => date ?? null).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
  });
});

describe('in words', () => {
  test('a day', () => {
    const words = (day: string) => dayFromToday(day, '2026-11-28');
    expect(['2026-11-28', '2026-11-29', '2026-11-27', '2026-12-01', '2026-10-29'].map(words)).toEqual([
      'today',
      'tomorrow',
      'yesterday',
      'in 3 days',
      '30 days ago',
    ]);
    expect(dueWords('2026-11-30', '2026-11-28')).toBe('due in 2 days');
    expect(dueWords('2026-11-25', '2026-11-28')).toBe('was due 3 days ago');
  });

  test('a rhythm', () => {
    const words = (first: string, rhythm: Rhythm) => rhythmWords({ first, rhythm });
    expect(words('2026-11-30', weekly())).toBe('Every Monday');
    expect(words('2026-11-30', weekly(2))).toBe('Every 2 weeks on Monday');
    expect(words('2026-11-30', monthly(31))).toBe('Every month on the month’s last day');
    expect(words('2026-11-30', monthly(30, 3))).toBe('Every 3 months on the 30th, or the month’s last day');
    expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 23].map((day) => words('2026-11-01', monthly(day, 12)))).toEqual(
      ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '23rd'].map(
        (day) => `Every year on the ${day}`,
      ),
    );
  });
});
