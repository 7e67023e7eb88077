// The days that a text names: "21 Nov", "20 to 23 Nov", "last weekend", "since Monday".
import { daysBefore, MONTHS } from '#src/shared/time.ts';
import type { DayRange } from '#src/shared/createdRange.ts';
import { daysOfPeriod, type Period, PERIOD_NAMES, PERIODS } from '#src/web/list/filters/periods.ts';
import { readDay } from '#src/web/list/filters/readDay.ts';

/** A term and the part of the text it came from, so that it can be removed from the text. */
export interface Read<T> {
  value: T;
  from: string;
}

/** Whole days, both included. `period`: its name in the text, such as "last month". */
export interface Days extends DayRange {
  period?: Period;
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
export const IS_MONTH = new RegExp(`^${MONTH}$`, 'i');
const PERIOD = new RegExp(`\\b(?:${Object.values(PERIODS).join('|')})\\b`, 'i');
/** A date without a year, only where it can't be an amount at the end of a sentence: "20.11. 5 ETH", "on 20.11. I paid". */
const SHORT = String.raw`(?<=(?:^|\b(?:on|am|vom|el) )\d+\.\d+\.)(?= )`;
/** With slashes only if the first number can't be a month: 18/11/2026. */
const DOTTED = String.raw`(\d{1,2}(?=\.)|(?:1[3-9]|2\d|3[01])(?=/))[./](0?[1-9]|1[0-2])[./](?:(\d{4})\b|${SHORT})`;
const YEAR = String.raw`(?:,? (20\d\d)(?![.,]?\d))?`;
const ORDINAL = String.raw`\d{1,2}(?:st|nd|rd|th)?\.?`;
const DATE = new RegExp(String.raw`\b(?:\d{4}-\d\d-\d\d\b|${DOTTED}|${ORDINAL} (?:of )?${MONTH}${YEAR}\b)`, 'i');
/** "Nov 21" for "21 Nov". */
const MONTH_FIRST = new RegExp(String.raw`\b(${MONTH}) (\d{1,2})(?:st|nd|rd|th)?${YEAR}\b(?![.,]\d)`, 'i');
const WHOLE_DAY = String.raw`(?:\d{4}-\d\d-\d\d|${ORDINAL} (?:of )?${MONTH}${YEAR}|${MONTH} ${ORDINAL}${YEAR})`;
/** "between 20 and 23 Nov", "20–23 Nov", "22 Nov or 23 Nov". */
const SPAN = new RegExp(
  String.raw`(?:\b(?:between|from) )?(?<![\w.,#-]|\b(?:order|invoice|ticket) )(?<one>${WHOLE_DAY}|${ORDINAL})(?: ?[-–—] ?| (?:and|or|to|until|till) )(?<other>${WHOLE_DAY})\b`,
  'i',
);
/** "Nov 20–23". */
const SPAN_IN_MONTH = new RegExp(
  String.raw`\b(?<one>${MONTH} ${ORDINAL})(?: ?[-–—] ?| to )(?<other>${ORDINAL})(?!\w|[.,]\d)`,
  'i',
);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six'];
const COUNT = String.raw`\d{1,3}|${COUNTS.join('|')}`;
const WEEKDAY = WEEKDAYS.join('|');
/** "3 days ago", "two weeks ago", "last week", "last weekend", "last 3 days", "on Sunday". */
const RELATIVE = new RegExp(
  String.raw`\b(?:(?<ago>a|${COUNT}) (?<agoUnit>day|week)s? ago|(?<week>last|this) week|(?:(?<weekend>last|this|on|over|at)(?: the)?) weekend|(?:last|past) (?<last>${COUNT}) (?<lastUnit>day|week)s|(?:on|last|this) (?<weekday>${WEEKDAY}))(?![\w-]|\.\w)`,
  'i',
);
const IS_WEEKDAY = new RegExp(`^(?:${WEEKDAY})$`, 'i');
const IS_TIME_OF_DAY = /^(?:morning|noon|afternoon|evening|night|tonight)$/i;

/** A number that may be a year, and the next word. */
const YEAR_AND_WORD = /\b20\d\d (\S+)/g;
/** Punctuation that plainText() leaves after a number. */
const ENDS = /[.,;:!?]+$/;

interface WordKinds {
  /** An asset or currency code. */
  isCode: (word: string) => boolean;
  /** A word that can't be part of a name: a code, a status, "paid". */
  isNoName: (word: string) => boolean;
}

/** The first days that the text names. `today`: "2026-11-22". */
export function daysIn(whole: string, kinds: WordKinds, today: string): Read<Days> | null {
  // In "20 Nov 2000 USDT", 2000 is an amount, not a year.
  const text = whole.replace(YEAR_AND_WORD, (pair, word: string) =>
    kinds.isCode(word.replace(ENDS, '')) ? '#' : pair,
  );
  const found =
    periodIn(text, today) ??
    spanIn(text, today) ??
    dayIn(text, today) ??
    relativeIn(text, today) ??
    weekdayIn(text, kinds, today);
  return found && withLead(text, found, today);
}

function periodIn(text: string, today: string): Read<Days> | null {
  const [from] = PERIOD.exec(text) ?? [];
  const period = PERIOD_NAMES.find((name) => PERIODS[name].toLowerCase() === from?.toLowerCase());
  return from !== undefined && period ? { value: { ...daysOfPeriod(period, today), period }, from } : null;
}

/**
 * Takes the words before the days into account: "since Monday" lasts until today, "week of 16 Nov" from Monday to Sunday.
 * Words like "in the" become part of the days' text, so that they aren't taken for a name.
 */
function withLead(text: string, { value, from }: Read<Days>, today: string): Read<Days> {
  const before = text.slice(0, text.indexOf(from));
  const [since] = /\bsince (?:the )?$/i.exec(before) ?? [];
  if (since !== undefined && value.from <= today) return { value: { from: value.from, to: today }, from: since + from };
  const [week] = /\b(?:(?:in|during) )?(?:the )?week (?:of|from) (?:the )?$/i.exec(before) ?? [];
  if (week !== undefined && value.from === value.to) return { value: weekOf(value.from), from: week + from };
  const [lead = ''] = /\b(?:in|over|within|during) (?:the )?$/i.exec(before) ?? [];
  return { value, from: lead + from };
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** Weeks begin on Monday. */
function weekOf(day: string): DayRange {
  const monday = daysBefore(day, (weekdayOf(day) + 6) % 7);
  return { from: monday, to: daysBefore(monday, -6) };
}

function latest(weekday: string, today: string): string {
  return daysBefore(today, (weekdayOf(today) - WEEKDAYS.indexOf(weekday.toLowerCase()) + 7) % 7);
}

function countOf(word: string): number {
  return Number(word) || COUNTS.indexOf(word.toLowerCase()) + 1 || 1;
}

function spanIn(text: string, today: string): Read<Days> | null {
  const match = SPAN.exec(text) ?? SPAN_IN_MONTH.exec(text);
  const { one = '', other = '' } = match?.groups ?? {};
  const parts = [one, other];
  const dated = parts.find((part) => /\b20\d\d\b/.test(part)) ?? parts.find((part) => dayIn(part, today)) ?? '';
  const anchor = dayIn(dated, today)?.value.from;
  if (!match || anchor === undefined) return null;
  // A day without a year or month is the one nearest to the other end.
  const until = daysBefore(anchor, -182);
  const days = parts.flatMap((part) => {
    const number = /\d+/.exec(part)?.[0] ?? '';
    return dayIn(part, until)?.value.from ?? readDay(anchor.slice(0, 8) + number.padStart(2, '0'), today) ?? [];
  });
  const [from, to] = days.toSorted();
  return from !== undefined && to !== undefined ? { value: { from, to }, from: match[0] } : null;
}

function relativeIn(text: string, today: string): Read<Days> | null {
  const match = RELATIVE.exec(text);
  if (!match) return null;
  const [from] = match;
  const value = relativeDays(match.groups ?? {}, from, today);
  // The person can't mean days in the future.
  return { value: value.to > today ? { ...value, to: today } : value, from };
}

function relativeDays(groups: Record<string, string | undefined>, from: string, today: string): DayRange {
  const { ago, agoUnit, week, weekend, last, lastUnit, weekday = '' } = groups;
  if (ago !== undefined) {
    const count = countOf(ago);
    if (agoUnit?.toLowerCase() === 'week') return weekOf(daysBefore(today, 7 * count));
    return { from: daysBefore(today, count), to: daysBefore(today, count) };
  }
  if (week !== undefined) return weekOf(week.toLowerCase() === 'this' ? today : daysBefore(today, 7));
  if (weekend !== undefined) {
    const isWeekend = weekdayOf(today) % 6 === 0;
    const { to } = weekOf(weekend.toLowerCase() !== 'last' && isWeekend ? today : daysBefore(today, 7));
    return { from: daysBefore(to, 1), to };
  }
  if (last !== undefined) {
    const count = countOf(last) * (lastUnit?.toLowerCase() === 'week' ? 7 : 1);
    return { from: daysBefore(today, count - 1), to: today };
  }
  const day = latest(weekday, today);
  const that = day === today && /^last/i.test(from) ? daysBefore(today, 7) : day;
  return { from: that, to: that };
}

/** A weekday alone: "0.5 ETH Sunday", "Sunday evening I paid"; but "Friday Fund" and "Acme Sunday" may be names. */
function weekdayIn(text: string, { isNoName }: WordKinds, today: string): Read<Days> | null {
  const words = text.split(' ').map((word) => word.replace(ENDS, ''));
  const isApart = (word: string | undefined) => word === undefined || /\d/.test(word) || isNoName(word);
  const from = words.find((word, at) => {
    const after = words[at + 1];
    const isBefore = after !== undefined && IS_TIME_OF_DAY.test(after);
    return (
      IS_WEEKDAY.test(word) && (isApart(words[at - 1]) || words[at - 1] === 'since') && (isApart(after) || isBefore)
    );
  });
  if (from === undefined) return null;
  const day = latest(from, today);
  return { value: { from: day, to: day }, from };
}

function dayIn(text: string, today: string): Read<Days> | null {
  const [turned, month, day, year = ''] = MONTH_FIRST.exec(text) ?? [];
  const [from = turned ?? '', d, m, y = ''] = DATE.exec(text) ?? [];
  const plain =
    from === turned ? `${day} ${month} ${year}` : from.replace(/(\d)(?:st|nd|rd|th)/i, '$1').replace(/of /i, '');
  const date = readDay(d === undefined ? plain : `${d} ${MONTHS[Number(m) - 1]} ${y}`, today);
  return date ? { value: { from: date, to: date }, from } : null;
}
