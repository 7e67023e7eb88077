import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inZone } from '#src/tests/inZone.ts';
import * as time from './time.ts';

const AT = Date.UTC(2026, 10, 21, 13, 58, 22) / 1000;
const BERLIN = 'Europe/Berlin';

test('rows show day and time, and the year only if it is not the current one', () => {
  expect(time.formatTime(AT, 'utc', AT)).toBe('21 Nov 13:58:22');
  expect(inZone(BERLIN, () => time.formatTime(AT, 'local', AT))).toBe('21 Nov 14:58:22');
  expect(time.formatTime(AT, 'utc', AT + 366 * 86_400)).toBe('21 Nov 2026 13:58:22');
  const midnight = Date.UTC(2026, 0, 1) / 1000;
  expect(time.formatTime(midnight, 'utc', AT)).toBe('1 Jan 00:00:00');
  // New Year in UTC is still the old year in New York: the year depends on the displayed zone.
  expect(inZone('America/New_York', () => time.formatTime(midnight, 'local', AT))).toBe('31 Dec 2025 19:00:00');
});

test('the long forms name the zone', () => {
  expect(time.formatFull(AT, 'utc')).toBe('Sat 21 Nov 2026 13:58:22 UTC');
  expect(inZone(BERLIN, () => time.formatFull(AT, 'local'))).toBe(
    `Sat 21 Nov 2026 14:58:22 ${time.zoneName('local')} (UTC+01:00)`,
  );
  expect(time.isoUtc(AT)).toBe('2026-11-21T13:58:22Z');
  const isoIn = (zone: string) => inZone(zone, () => time.isoZoned(AT, 'local'));
  expect(isoIn(BERLIN)).toBe('2026-11-21T14:58:22+01:00');
  expect(isoIn('Asia/Kathmandu')).toBe('2026-11-21T19:43:22+05:45');
  expect(isoIn('America/St_Johns')).toBe('2026-11-21T10:28:22-03:30');
  expect(inZone(BERLIN, () => time.formatClock(AT, 'local'))).toBe('14:58:22');
  expect(time.zoneName('utc')).toBe('UTC');
  expect(time.zoneName('local')).not.toBe('');
});

test('local time equals the time of the device’s zone by name, and its ISO form is the same moment', () => {
  const zone = fc.constantFrom('UTC', BERLIN, 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia');
  // Around clock changes too: Berlin (two), New York, and Apia, which skipped a day.
  const change = fc.constantFrom(1_774_746_000, 1_792_890_000, 1_793_512_800, 1_325_239_200);
  const nearby = fc.tuple(change, fc.integer({ min: -90_000, max: 90_000 })).map(([at, by]) => at + by);
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 946_684_800, max: 4_102_444_799 }), nearby), zone, (unix, timeZone) => {
      const named = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
      const [shown, iso] = inZone(timeZone, () => [
        `${time.dateOf(unix, 'local')} ${time.formatClock(unix, 'local')}`,
        time.isoZoned(unix, 'local'),
      ]);
      expect(shown).toBe(named.format(unix * 1000));
      expect(iso.slice(0, 19)).toBe(shown.replace(' ', 'T'));
      expect(Date.parse(iso) / 1000).toBe(unix);
      expect(time.isoZoned(unix, 'utc')).toBe(time.isoUtc(unix).replace('Z', '+00:00'));
    }),
    { numRuns: 300 },
  );
});

test('a zone by name gives the same results as a device in that zone', () => {
  const zone = fc.constantFrom(BERLIN, 'America/New_York', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia');
  fc.assert(
    fc.property(fc.integer({ min: 946_684_800, max: 4_102_444_799 }), zone, (unix, name) => {
      const formats = (displayZone: time.Zone) => [
        time.formatTime(unix, displayZone, AT),
        time.dateOf(unix, displayZone),
        time.isoZoned(unix, displayZone),
        time.dayStart(time.dateOf(unix, displayZone), displayZone),
      ];
      expect(formats({ name })).toEqual(inZone(name, () => formats('local')));
    }),
    { numRuns: 100 },
  );
  expect(time.formatFull(AT, { name: BERLIN })).toBe('Sat 21 Nov 2026 14:58:22 Europe/Berlin (UTC+01:00)');
});

test('a zone is found by its name; an unknown name gives null', () => {
  expect(time.zoneNamed('UTC')).toBe('utc');
  expect(time.zoneNamed(time.zoneName('local'))).toBe(time.zoneName('local') === 'UTC' ? 'utc' : 'local');
  expect(time.zoneNamed('Asia/Kathmandu')).toEqual({ name: 'Asia/Kathmandu' });
  for (const name of ['', 'Mars/Olympus', 'to 30 Nov 2026', 'local time']) expect(time.zoneNamed(name)).toBeNull();
});

test('a UTC time equals Date.toISOString, whichever time was formatted before', () => {
  const times = fc.double({ min: -8.64e12, max: 8.64e12, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.oneof(times, fc.integer({ min: AT - 9e4, max: AT + 9e4 }))), (all) => {
      const wanted = all.map((unix) => new Date(Math.floor(unix) * 1000).toISOString().replace('.000', ''));
      expect(all.map(time.isoUtc)).toEqual(wanted);
    }),
  );
});

test('times that cannot be a payment’s are implausible', () => {
  for (const value of [AT, 946_684_800, 4_102_444_799]) expect(time.isPlausibleTime(value)).toBe(true);
  for (const value of [null, undefined, '1763733502', 0, -5, 1.5, AT * 1000, 99_999_999_999, Number.NaN, Infinity]) {
    expect([value, time.isPlausibleTime(value)]).toEqual([value, false]);
  }
});

test('numbers that are not a date come back as digits instead of throwing', () => {
  for (const value of [Number.NaN, Infinity, 8.7e12, -8.7e12]) {
    for (const shown of [
      time.formatTime(value, 'utc'),
      time.formatFull(value, 'utc'),
      time.isoUtc(value),
      time.isoZoned(value, 'local'),
      time.dateOf(value, 'utc'),
      time.formatClock(value, 'utc'),
    ]) {
      expect(shown).toBe(String(value));
    }
  }
});

test('an age is coarse and may be in the future', () => {
  expect(time.age(AT, AT + 3)).toBe('just now');
  expect(time.age(AT, AT + 42)).toBe('42 s ago');
  expect(time.age(AT, AT + 4 * 60 + 30)).toBe('4 min ago');
  expect(time.age(AT, AT + 3 * 3600)).toBe('3 h ago');
  expect(time.age(AT, AT + 50 * 3600)).toBe('2 days ago');
  expect(time.age(AT + 300, AT)).toBe('in 5 min');
  expect(time.age(AT + 10, AT)).toBe('just now');
});

test('an age in words is in whole units and never in the future', () => {
  const ages = [-60, 59, 60, 12 * 60 + 59, 3599, 3600, 86_399, 86_400, 30 * 86_400];
  expect(ages.map((seconds) => time.ageInWords(AT, AT + seconds))).toEqual([
    'less than a minute ago',
    'less than a minute ago',
    '1 minute ago',
    '12 minutes ago',
    '59 minutes ago',
    '1 hour ago',
    '23 hours ago',
    '1 day ago',
    '30 days ago',
  ]);
});

const iso = (date: string, zone: string): string =>
  inZone(zone, () => time.isoZoned(time.dayStart(date, 'local') ?? 0, 'local'));

test('a day starts at its first second, across clock changes', () => {
  expect(time.dayStart('2026-11-21', 'utc')).toBe(Date.UTC(2026, 10, 21) / 1000);
  expect(iso('2026-03-29', BERLIN)).toBe('2026-03-29T00:00:00+01:00');
  expect(iso('2026-03-30', BERLIN)).toBe('2026-03-30T00:00:00+02:00');
  expect(iso('2026-10-25', BERLIN)).toBe('2026-10-25T00:00:00+02:00');
  // Midnight itself was skipped in Beirut and São Paulo, and a whole day in Samoa.
  expect(iso('2026-03-29', 'Asia/Beirut')).toBe('2026-03-29T01:00:00+03:00');
  expect(iso('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T01:00:00-02:00');
  expect(iso('2011-12-30', 'Pacific/Apia')).toBe('2011-12-31T00:00:00+14:00');
});

test('every day of a year has a start whose second before is another day', () => {
  const eachDay = (zone: time.Zone): void => {
    for (let day = 0; day < 365; day += 1) {
      const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
      const start = time.dayStart(date, zone) ?? Number.NaN;
      expect(time.dateOf(start, zone)).toBe(date);
      expect([date, time.dateOf(start - 1, zone) < date]).toEqual([date, true]);
    }
  };
  eachDay('utc');
  for (const zone of [BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Beirut']) {
    inZone(zone, () => eachDay('local'));
  }
});

test('text that is not a date has no start', () => {
  for (const text of ['', '2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', 'junk', '2026-11-21T00:00']) {
    expect([text, time.dayStart(text, 'utc')]).toEqual([text, null]);
  }
});

test('days before are calendar days, across a clock change, a leap day and a new year', () => {
  expect(time.daysBefore('2026-10-26', 1)).toBe('2026-10-25');
  expect(time.daysBefore('2026-10-26', 6)).toBe('2026-10-20');
  expect(time.daysBefore('2028-03-01', 1)).toBe('2028-02-29');
  expect(time.daysBefore('2026-01-01', 0)).toBe('2026-01-01');
  expect(time.daysBefore('2026-01-01', 1)).toBe('2025-12-31');
});
