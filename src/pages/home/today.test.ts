import { describe, expect, test } from 'vitest';
import { type HomeRow, type Recent } from './recentRows.ts';
import { boundsOf, dayOf, searchFor, sumDay } from './today.ts';

const at = (iso: string): number => Date.parse(iso) / 1000;

describe('a day', () => {
  test.each([
    ['2026-11-21T00:00:00Z', 'utc', '2026-11-21T00:00:00Z', 24],
    ['2026-11-21T23:59:59Z', 'utc', '2026-11-21T00:00:00Z', 24],
    ['2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00:00Z', 23],
    ['2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00:00Z', 25],
    ['2026-09-06T12:00:00Z', 'America/Santiago', '2026-09-06T04:00:00Z', 23],
  ] as const)('%s in %s begins %s and has %i hours', (moment, zone, start, hours) => {
    const day = dayOf(at(moment), zone);
    expect(day.start).toBe(at(start));
    expect(day.end - day.start).toBe(hours * 3600);
    expect(boundsOf(day)).toEqual({ created_after: day.start - 1, created_before: day.end });
  });
});

const day = dayOf(at('2026-11-21T12:00:00Z'), 'utc');
const row = (id: string, fields: Partial<HomeRow>): HomeRow => ({
  id,
  status: 'completed',
  asset: 'BTC',
  chain: 'bitcoin',
  amount: '0.1',
  created_at: day.start,
  ...fields,
});
const recent = (rows: HomeRow[], more: Partial<Recent> = {}): Recent => ({
  rows,
  malformed: 0,
  pages: 1,
  stop: 'end',
  reason: null,
  since: null,
  requestId: null,
  date: null,
  readAt: 0,
  ...more,
});

test('rows of the day are summed per asset and status, exactly, and no others', () => {
  const rows = [
    row('a', { amount: '0.000000000000000001' }),
    row('b', { amount: '10000000000000000000000', created_at: day.end - 1 }),
    row('c', { created_at: day.start - 1 }),
    row('d', { created_at: day.end }),
    row('e', { status: 'pending' }),
    row('f', { asset: 'ETH', amount: 5 }),
    row('g', { created_at: null }),
  ];
  const sums = sumDay(recent(rows), day);
  expect(sums).toMatchObject({ rows: 4, timeless: 1, whole: true });
  expect(sums.statuses.map(({ status, rows }) => [status, rows])).toEqual([
    ['completed', 3],
    ['pending', 1],
  ]);
  expect(sums.statuses[0]?.totals).toEqual([
    { asset: 'BTC', status: 'completed', rows: 2, sum: '10000000000000000000000.000000000000000001', unreadable: 0 },
    { asset: 'ETH', status: 'completed', rows: 1, sum: '0', unreadable: 1 },
  ]);
});

test('a day is whole only if it was read back to before it began', () => {
  const whole = (more: Partial<Recent>) => sumDay(recent([], more), day).whole;
  expect(whole({})).toBe(true);
  expect(whole({ stop: 'bound', since: day.start - 1 })).toBe(true);
  expect(whole({ stop: 'far-enough', since: day.start - 1 })).toBe(true);
  expect(whole({ stop: 'bound', since: day.start })).toBe(false);
  expect(whole({ stop: 'broken', since: day.start - 1 })).toBe(false);
});

test('a line leads to the list with the contract’s own parameters, where its words can be asked for', () => {
  expect(searchFor({ status: 'pending', asset: 'BTC' }, { created_after: 1, created_before: 5 })).toBe(
    'status=pending&asset=BTC&created_after=1&created_before=5',
  );
  expect(searchFor({ status: 'a&b=c' }, { order: 'asc' })).toBe('status=a%26b%3Dc&order=asc');
  for (const status of [null, '', 'x'.repeat(201)]) expect(searchFor({ status }, {})).toBeNull();
});
