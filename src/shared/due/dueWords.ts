import { dayWords } from '#src/shared/createdRange.ts';
import { counted } from '#src/shared/text.ts';
import { daysBetween, type Schedule } from './dueDates.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** "today", "tomorrow", "in 5 days", "yesterday", "3 days ago". */
export function dayFromToday(day: string, today: string): string {
  const days = daysBetween(today, day);
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days === -1) return 'yesterday';
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
}

/** "30 Nov 2026, in 2 days" */
export function dayAndDistance(day: string, today: string): string {
  return `${dayWords(day)}, ${dayFromToday(day, today)}`;
}

/** "due tomorrow", "was due 3 days ago". */
export function dueWords(day: string, today: string): string {
  return `${day < today ? 'was due' : 'due'} ${dayFromToday(day, today)}`;
}

/** "Every Monday", "Every 3 months on the 15th". */
export function rhythmWords({ first, rhythm }: Schedule): string {
  const { count } = rhythm;
  if (rhythm.unit === 'week') {
    const weekday = WEEKDAYS[new Date(first).getUTCDay()] ?? '';
    return count === 1 ? `Every ${weekday}` : `Every ${count} weeks on ${weekday}`;
  }
  const every =
    count === 1 ? 'Every month' : count === 12 ? 'Every year' : `Every ${counted(count, 'month', 'months')}`;
  return `${every} on ${dayInMonthWords(rhythm.day)}`;
}

function dayInMonthWords(day: number): string {
  if (day === 31) return 'the month’s last day';
  const words = `the ${day}${ordinalEnding(day)}`;
  return day > 28 ? `${words}, or the month’s last day` : words;
}

function ordinalEnding(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}
