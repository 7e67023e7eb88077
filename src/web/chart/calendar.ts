// Calendar days, written "2026-11-21", and the weeks, months and years that contain them. Always counted by the calendar,
// never in steps of 24 hours: a day may have 23 or 25.
import { daysBefore } from '#src/shared/time.ts';
import type { DayRange } from '#src/shared/createdRange.ts';

export const UNITS = ['day', 'week', 'month', 'year'] as const;
export type Unit = (typeof UNITS)[number];

function midnight(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

const MONDAY = 1;

/** The first day of the week (from Monday), month or year of a day. */
export function startOf(day: string, unit: Unit): string {
  if (unit === 'day') return day;
  if (unit === 'week') return daysBefore(day, (new Date(midnight(day)).getUTCDay() - MONDAY + 7) % 7);
  return unit === 'month' ? `${day.slice(0, 8)}01` : `${day.slice(0, 5)}01-01`;
}

function startAfter(start: string, unit: Unit): string {
  if (unit === 'day') return daysBefore(start, -1);
  if (unit === 'week') return daysBefore(start, -7);
  // Any month ends within 31 days, any year within 366.
  return startOf(daysBefore(start, unit === 'month' ? -31 : -366), unit);
}

/** The span cut into days, weeks, months or years; the first and the last end with the span. */
export function cutInto(span: DayRange, unit: Unit): DayRange[] {
  const parts: DayRange[] = [];
  for (let start = startOf(span.from, unit); start <= span.to;) {
    const next = startAfter(start, unit);
    const end = daysBefore(next, 1);
    parts.push({ from: start < span.from ? span.from : start, to: end > span.to ? span.to : end });
    start = next;
  }
  return parts;
}

/** The finest unit that cuts the span into at most `most` parts; years if none does. */
export function unitFor(span: DayRange, most: number): Unit {
  const days = (midnight(span.to) - midnight(span.from)) / 86_400_000 + 1;
  if (days <= most) return 'day';
  return UNITS.find((unit) => unit !== 'day' && cutInto(span, unit).length <= most) ?? 'year';
}
