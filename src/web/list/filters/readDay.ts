import { dayStart, MONTHS } from '#src/shared/time.ts';

/**
 * Parses a typed day: "1 Oct 2026", "1 october", "2026-10-01". Empty stays empty; null if it isn't a day. Without a year, the
 * latest such day that is not in the future.
 */
export function readDay(text: string, today: string): string | null {
  const typed = text.trim();
  if (typed === '') return '';
  if (dayStart(typed, 'utc') !== null) return typed;
  const [, day = '', name = '', year] = /^(\d{1,2})\.?\s+([a-z]{3,9})\.?,?(?:\s+(\d{4}))?$/i.exec(typed) ?? [];
  const month = MONTHS.findIndex((each) => name.toLowerCase().startsWith(each.toLowerCase())) + 1;
  if (month === 0) return null;
  const rest = `${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const thisYear = `${today.slice(0, 4)}-${rest}`;
  const date =
    year === undefined ? (thisYear > today ? `${Number(today.slice(0, 4)) - 1}-${rest}` : thisYear) : `${year}-${rest}`;
  return dayStart(date, 'utc') === null ? null : date;
}
