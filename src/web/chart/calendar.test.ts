import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateOf, daysBefore, dayStart } from '#src/shared/time.ts';
import { boundsOfDays, daysOfBounds } from '#src/shared/createdRange.ts';
import { inZone } from '#src/tests/inZone.ts';
import { cutInto, startOf, UNITS, unitFor } from './calendar.ts';
import { dayFinder } from '#src/shared/overview/balanceLine.ts';

const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
);
const unix = fc.integer({ min: Date.UTC(2010, 0, 1) / 1000, max: Date.UTC(2030, 0, 1) / 1000 });
const unit = fc.constantFrom(...UNITS);
const span = fc.tuple(unix, fc.integer({ min: 0, max: 1500 })).map(([at, days]) => {
  const from = dateOf(at, 'utc');
  return { from, to: daysBefore(from, -days) };
});

test('the day of a time is the zone’s, in whatever order the times come', () => {
  fc.assert(
    fc.property(zone, fc.array(unix, { maxLength: 12 }), (of, moments) => {
      inZone(of, () => {
        expect(moments.map(dayFinder('local'))).toEqual(moments.map((at) => dateOf(at, 'local')));
      });
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
  ['2026-10-26', 24],
])('%s in Berlin has %i hours', (day, hours) => {
  const found = inZone('Europe/Berlin', () => {
    const from = (dayStart(day, 'local') ?? 0) - 5 * 3600;
    return Array.from({ length: 40 }, (_, hour) => from + hour * 3600 + 1800).map(dayFinder('local'));
  });
  expect(found.filter((each) => each === day)).toHaveLength(hours);
});

test('a span is cut into parts without a gap and without an overlap, each within one unit', () => {
  fc.assert(
    fc.property(span, unit, (of, by) => {
      const parts = cutInto(of, by);
      expect(parts[0]?.from).toBe(of.from);
      expect(parts.at(-1)?.to).toBe(of.to);
      expect(parts.filter(({ from, to }) => startOf(from, by) !== startOf(to, by))).toEqual([]);
      expect(parts.slice(1).map(({ from }) => from)).toEqual(parts.slice(0, -1).map(({ to }) => daysBefore(to, -1)));
    }),
    { numRuns: 40 },
  );
});

test('the unit is the finest that fits', () => {
  expect(unitFor({ from: '2026-11-01', to: '2026-11-21' }, 21)).toBe('day');
  expect(unitFor({ from: '2026-11-01', to: '2026-11-22' }, 21)).toBe('week');
  expect(unitFor({ from: '2025-11-21', to: '2026-11-21' }, 40)).toBe('month');
  expect(unitFor({ from: '2000-01-01', to: '2026-11-21' }, 40)).toBe('year');
});

test('picked days are read back from the URL as the same days', () => {
  fc.assert(
    fc.property(zone, span, unit, fc.nat(), (of, days, by, at) => {
      const parts = cutInto(days, by);
      const part = parts[at % parts.length] ?? days;
      // Apia had no 30 December 2011: a day that never was cannot come back.
      fc.pre(![part.from, part.to].includes('2011-12-30'));
      expect(inZone(of, () => daysOfBounds(boundsOfDays(part, 'local'), 'local'))).toEqual(part);
    }),
    { numRuns: 60 },
  );
});
