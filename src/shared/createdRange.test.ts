import { describe, expect, test } from 'vitest';
import { inZone } from '#src/tests/inZone.ts';
import { boundsOfDays, daysOfBounds, describeRange } from './createdRange.ts';

const BERLIN = 'Europe/Berlin';
const iso = (unix: number | undefined) => new Date((unix ?? Number.NaN) * 1000).toISOString();

describe('days as bounds', () => {
  test('are one second outside the days, so that no service can leave out one of their rows', () => {
    const { created_after, created_before } = boundsOfDays({ from: '2026-11-01', to: '2026-11-21' }, 'utc');
    expect(iso(created_after)).toBe('2026-10-31T23:59:59.000Z');
    expect(iso(created_before)).toBe('2026-11-22T00:00:00.000Z');
  });

  test('follow the zone over a clock change', () => {
    const range = { from: '2026-10-25', to: '2026-10-25' };
    const { created_after, created_before } = inZone(BERLIN, () => boundsOfDays(range, 'local'));
    expect(iso(created_after)).toBe('2026-10-24T21:59:59.000Z');
    expect(iso(created_before)).toBe('2026-10-25T23:00:00.000Z');
  });

  test.each(['UTC', BERLIN, 'America/Sao_Paulo', 'Asia/Kathmandu'])('come back as the same days: %s', (zone) => {
    for (const from of ['2026-01-01', '2026-03-29', '2026-10-25', '2018-11-04', '2024-02-29']) {
      const range = { from, to: '2026-12-31' };
      expect(inZone(zone, () => daysOfBounds(boundsOfDays(range, 'local'), 'local'))).toEqual(range);
      expect(daysOfBounds(boundsOfDays(range, 'utc'), 'utc')).toEqual(range);
    }
  });

  test('an open or impossible side stays open', () => {
    expect(boundsOfDays({ from: '', to: '2026-02-31' }, 'utc')).toEqual({});
    expect(boundsOfDays({ from: '2026-02-01', to: '' }, 'utc')).toEqual({ created_after: 1_769_903_999 });
  });

  test('bounds within a day give no days', () => {
    expect(daysOfBounds({ created_after: 1_763_000_001, created_before: 1_763_000_002 }, 'utc')).toEqual({
      from: '',
      to: '',
    });
  });
});

describe('a range in words', () => {
  const november = boundsOfDays({ from: '2026-11-01', to: '2026-11-21' }, 'utc');

  test('of days names the zone', () => {
    expect(describeRange(november, 'utc')).toBe('1 Nov 2026 to 21 Nov 2026, UTC');
    expect(describeRange(boundsOfDays({ from: '2026-11-01', to: '2026-11-01' }, 'utc'), 'utc')).toBe('1 Nov 2026, UTC');
    expect(describeRange(boundsOfDays({ from: '2026-11-01', to: '' }, 'utc'), 'utc')).toBe('from 1 Nov 2026, UTC');
    expect(describeRange(boundsOfDays({ from: '', to: '2026-11-01' }, 'utc'), 'utc')).toBe('to 1 Nov 2026, UTC');
    expect(describeRange({}, 'utc')).toBe('any');
  });

  test('of other bounds shows them to the second', () => {
    expect(describeRange({ created_after: 1_763_000_000 }, 'utc')).toBe('after Thu 13 Nov 2025 02:13:20 UTC');
    expect(describeRange({ ...november, created_before: 1_795_000_000 }, 'utc')).toBe(
      'from 1 Nov 2026, before Wed 18 Nov 2026 11:06:40 UTC',
    );
  });
});
