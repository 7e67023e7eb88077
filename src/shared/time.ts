import { counted } from './text.ts';
import { isExactNumber } from './json/exactJson.ts';

// Times are Unix seconds. The zone is an argument everywhere: the person chooses it.

/** UTC, the device's zone, or a zone by name, such as "Europe/Berlin". */
export type Zone = 'utc' | 'local' | { name: string };

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const EARLIEST = Date.UTC(2000, 0, 1) / 1000;
const LATEST = Date.UTC(2100, 0, 1) / 1000;

/** Whether a value can be a payment's Unix time in seconds: between 2000 and 2099, not milliseconds, not missing. */
export function isPlausibleTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= EARLIEST && value < LATEST;
}

/** A time for sorting rows; 0 if the value isn't one. */
export function sortableTime(value: unknown): number {
  return isPlausibleTime(value) ? value : 0;
}

/** The last row's time, or that of the nearest row before it with one: the list is newest first (4.4). */
export function oldestTime(rows: readonly { created_at?: unknown }[]): number | null {
  const last = rows.findLast(({ created_at: at }) => isPlausibleTime(at))?.created_at;
  return isPlausibleTime(last) ? last : null;
}

/** A time from a response; whole seconds written as 1795228907.0 count as a number too. */
export function timeAsCame(value: unknown): unknown {
  if (!isExactNumber(value) || !/^\d{1,15}\.0+$/.test(value.toString())) return value;
  const unix = Number(value.toString());
  return isPlausibleTime(unix) ? unix : value;
}

interface Clock {
  year: number;
  month: number;
  day: number;
  weekday: string;
  time: string;
}
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function isDate(unix: number): boolean {
  return Number.isFinite(unix) && Math.abs(unix) <= 8.64e12;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Uses Date: creating an Intl formatter costs more than formatting all rows of the first screen. */
function clockOf(unix: number, zone: Zone): Clock {
  if (typeof zone === 'object') return clockOf(unix + offsetOf(unix, zone) * 60, 'utc');
  const date = new Date(unix * 1000);
  const of = zone === 'utc' ? 'UTC' : '';
  return {
    year: date[`get${of}FullYear`](),
    month: date[`get${of}Month`]() + 1,
    day: date[`get${of}Date`](),
    weekday: WEEKDAYS[date[`get${of}Day`]()] ?? '',
    time: [date[`get${of}Hours`](), date[`get${of}Minutes`](), date[`get${of}Seconds`]()].map(two).join(':'),
  };
}

/** "21 Nov 13:58:22", with the year if it isn't the current one; a value that isn't a date comes back as digits. */
export function formatTime(unix: number, zone: Zone, nowUnix: number = Date.now() / 1000): string {
  if (!isDate(unix)) return String(unix);
  const { year, month, day, time } = clockOf(unix, zone);
  const shownYear = year === clockOf(nowUnix, zone).year ? '' : `${year} `;
  return `${day} ${MONTHS[month - 1]} ${shownYear}${time}`;
}

/** "Sat 21 Nov 2026 13:58:22 Europe/Berlin (UTC+01:00)". */
export function formatFull(unix: number, zone: Zone): string {
  if (!isDate(unix)) return String(unix);
  const { year, month, day, weekday, time } = clockOf(unix, zone);
  const offset = zone === 'utc' ? '' : ` (UTC${offsetText(offsetOf(unix, zone))})`;
  return `${weekday} ${day} ${MONTHS[month - 1]} ${year} ${time} ${zoneName(zone)}${offset}`;
}

/** "21 Nov", with the year if it isn't the current one. */
export function shortDayWords(unix: number, zone: Zone, nowUnix: number): string {
  const { year, month, day } = clockOf(unix, zone);
  return `${day} ${MONTHS[month - 1]}${year === clockOf(nowUnix, zone).year ? '' : ` ${year}`}`;
}

/** "13:58:22". */
export function formatClock(unix: number, zone: Zone): string {
  return isDate(unix) ? clockOf(unix, zone).time : String(unix);
}

let ownZone: string | null = null;

/** "UTC", "Europe/Berlin"…; "local time" if the device doesn't name its zone. */
export function zoneName(zone: Zone): string {
  if (zone === 'utc') return 'UTC';
  if (typeof zone === 'object') return zone.name;
  ownZone ??= Intl.DateTimeFormat('en').resolvedOptions().timeZone || 'local time';
  return ownZone;
}

/** The inverse of zoneName(); null if this device has no zone of that name. */
export function zoneNamed(name: string): Zone | null {
  if (name === 'UTC') return 'utc';
  if (name === zoneName('local')) return 'local';
  try {
    offsetsOf(name);
    return { name };
  } catch {
    return null;
  }
}

const offsets = new Map<string, Intl.DateTimeFormat>();
/** Each takes some 30 kB, and one zone can be spelled in many ways. */
const OFFSETS_MAX = 500;

/** Formats a time's offset from UTC as "GMT+05:45"; throws if there is no such zone. */
function offsetsOf(name: string): Intl.DateTimeFormat {
  const made = offsets.get(name) ?? new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
  if (offsets.size >= OFFSETS_MAX) offsets.clear();
  offsets.set(name, made);
  return made;
}

/** The last formatted time: a row of an export contains it twice. */
let last = { at: Number.NaN, text: '' };

/** "2026-11-21T13:58:22Z". */
export function isoUtc(unix: number): string {
  if (!isDate(unix)) return String(unix);
  const at = Math.floor(unix);
  if (at !== last.at) last = { at, text: `${new Date(at * 1000).toISOString().slice(0, -'.000Z'.length)}Z` };
  return last.text;
}

/** "2026-11-21T13:58:22.041Z", from Unix milliseconds. */
export function isoMs(ms: number): string {
  return isDate(ms / 1000) ? new Date(ms).toISOString() : String(ms);
}

/** "0.4 s", from two Unix times in milliseconds. */
export function took(start: number, end: number): string {
  return `${((end - start) / 1000).toFixed(1)} s`;
}

/** "2026-11-21T14:58:22+01:00". */
export function isoZoned(unix: number, zone: Zone): string {
  if (!isDate(unix)) return String(unix);
  const minutes = offsetOf(unix, zone);
  return isoUtc(unix + minutes * 60).replace('Z', offsetText(minutes));
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Minutes ahead of UTC. */
function offsetOf(unix: number, zone: Zone): number {
  if (zone === 'utc') return 0;
  if (zone === 'local') return -Math.round(new Date(unix * 1000).getTimezoneOffset());
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(offsetsOf(zone.name).format(unix * 1000)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** How long ago, coarsely: "just now", "42 s ago", "4 min ago", "3 h ago", "2 days ago", or "in 4 min". */
export function age(thenUnix: number, nowUnix: number): string {
  const seconds = Math.round(nowUnix - thenUnix);
  const size = Math.abs(seconds);
  // The page's clock ticks every ten seconds, so a moment just read can be ahead of it.
  if (size < 5 || (seconds < 0 && size < 15)) return 'just now';
  const text = span(size);
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}

/** A duration, coarsely: "42 s", "4 min", "3 h", "2 days". */
export function span(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** A duration to the minute: "18 min", "2 h 23 min", "10 days". */
export function lasting(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'under 1 min';
  if (minutes < 60) return `${minutes} min`;
  if (minutes >= 48 * 60) return `${Math.floor(minutes / 60 / 24)} days`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

/** How long ago in words: "less than a minute ago", "12 minutes ago", "1 day ago". A future time counts as just now. */
export function ageInWords(thenUnix: number, nowUnix: number): string {
  const seconds = Math.max(0, nowUnix - thenUnix);
  if (seconds < 60) return 'less than a minute ago';
  if (seconds < 3600) return `${counted(Math.floor(seconds / 60), 'minute', 'minutes')} ago`;
  if (seconds < 86_400) return `${counted(Math.floor(seconds / 3600), 'hour', 'hours')} ago`;
  return `${counted(Math.floor(seconds / 86_400), 'day', 'days')} ago`;
}

/** The calendar day of a moment, "2026-11-21". */
export function dateOf(unix: number, zone: Zone): string {
  if (!isDate(unix)) return String(unix);
  const { year, month, day } = clockOf(unix, zone);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** The calendar day so many days earlier. Counts days, not hours: a day may have 23 or 25. */
export function daysBefore(date: string, days: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day - days)).toISOString().slice(0, 10);
}

/** The first second of a day such as "2026-11-21", even if it starts at 01:00 or was skipped; null if it isn't a date. */
export function dayStart(date: string, zone: Zone): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date);
  if (!match) return null;
  const utc = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / 1000;
  if (isoUtc(utc).slice(0, 10) !== date) return null;
  if (zone === 'utc') return utc;
  // No zone is more than 15 hours from UTC, and no clock change repeats a day.
  let before = utc - 26 * 3600;
  let from = utc + 26 * 3600;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dateOf(middle, zone) >= date) from = middle;
    else before = middle;
  }
  return from;
}
