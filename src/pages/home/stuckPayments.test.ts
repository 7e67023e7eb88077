import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HomeRow } from './recentRows.ts';
import { LEAST_AGE, judge } from './stuckPayments.ts';
import type { Held } from './statusHeuristic.ts';

const NOW = 1_800_000_000;
const HOUR = 3600;

function row(id: string, status: string | null, age: number, chain = 'bitcoin', asset = 'BTC'): HomeRow {
  return { id, status, asset, chain, amount: '0.5', created_at: NOW - age };
}

/** One every so many seconds, the youngest `moving` of them pending and the rest completed. */
function settled(count: number, every: number, moving = 0, chain = 'bitcoin', asset = 'BTC'): HomeRow[] {
  return Array.from({ length: count }, (_, at) =>
    row(`${chain}${at}`, at < moving ? 'pending' : 'completed', (at + 1) * every, chain, asset),
  );
}

const holding = (amount: unknown, asset = 'BTC', updated_at: unknown = NOW): Held => ({ asset, amount, updated_at });
const sittingIds = (rows: HomeRow[], held: Held[] | null = null) =>
  judge(rows, held, NOW).sitting.map(({ row: { id } }) => id);
const readingOf = (rows: HomeRow[], status: string | null, held: Held[] | null = null) =>
  judge(rows, held, NOW).statuses.find((each) => each.status === status)?.reading;

describe('a row sits long', () => {
  test('when it is older than twice the age by which the others of its chain have moved on', () => {
    const rows = [...settled(100, 1200, 2), row('stuck', 'pending', 20 * HOUR)];
    const [found, ...more] = judge(rows, null, NOW).sitting;
    expect(more).toEqual([]);
    // The first two are pending; of the first ten, eight have moved on.
    expect(found).toEqual({ row: rows.at(-1), age: 20 * HOUR, usual: 3 * 1200, allChains: false });
    expect(sittingIds([...settled(100, 1200, 2), row('slow', 'pending', 2 * 3600)])).toEqual([]);
  });

  test('never within the first hour, however fast the others are', () => {
    expect(sittingIds([...settled(100, 10), row('new', 'pending', LEAST_AGE)])).toEqual([]);
    expect(sittingIds([...settled(100, 10), row('old', 'pending', LEAST_AGE + 1)])).toEqual(['old']);
  });

  test('by its own chain; by all chains where its own has too few rows', () => {
    const slow = settled(80, 6 * HOUR, 2);
    const fast = settled(40, 600, 0, 'solana', 'SOL');
    const rows = [...slow, ...fast, row('a', 'pending', 5 * HOUR, 'solana', 'SOL'), row('b', 'pending', 9 * HOUR)];
    expect(sittingIds(rows)).toEqual(['a']);
    const [found] = judge([...rows, row('c', 'pending', 90 * HOUR, 'rare', 'RARE')], null, NOW).sitting;
    expect([found?.row.id, found?.allChains]).toEqual(['c', true]);
  });

  test('also if it is older than all that were read, unless many such ones are', () => {
    const rows = settled(100, 1200, 2);
    const older = (count: number) =>
      Array.from({ length: count }, (_, at) => row(`old${at}`, 'pending', (900 + at) * HOUR, 'bitcoin'));
    expect(judge(rows, null, NOW, [...older(2), rows[0]!]).sitting.map(({ row: { id } }) => id)).toEqual([
      'old1',
      'old0',
    ]);
    const many = judge(rows, null, NOW, older(10));
    expect([many.sitting, many.statuses.find(({ status }) => status === 'pending')?.reading]).toEqual([[], 'any-age']);
  });

  test('where many stand still, none is compared with those that stand as well', () => {
    // All of the last two days are pending: what moved on did so before.
    expect(sittingIds(settled(100, HOUR, 8))).toEqual([]);
  });
});

describe('a status', () => {
  test('that more than one in ten of the older rows carry is one that rows stay in', () => {
    const rows = Array.from({ length: 60 }, (_, at) =>
      row(`r${at}`, at % 5 === 0 ? 'expired' : 'done', (at + 1) * HOUR),
    );
    expect(readingOf(rows, 'expired')).toBe('stays');
    expect(sittingIds(rows)).toEqual([]);
  });

  test('that is as common among old rows as among new ones is an end as well', () => {
    const rows = Array.from({ length: 300 }, (_, at) =>
      row(`r${at}`, at % 25 === 3 ? 'failed' : 'done', (at + 1) * HOUR),
    );
    expect(readingOf(rows, 'failed')).toBe('any-age');
    expect(sittingIds([...rows, row('x', 'pending', 90 * HOUR)])).toEqual(['x']);
  });

  test('that stood still at one time only is not as common at any', () => {
    const rows = Array.from({ length: 300 }, (_, at) =>
      row(`r${at}`, at >= 200 && at < 206 ? 'held' : 'done', (at + 1) * HOUR),
    );
    expect(readingOf(rows, 'held')).toBe('passing');
    expect(sittingIds(rows).length).toBe(6);
  });

  test('of whose assets the service holds nothing in flight is an end, if the snapshot is younger than the row', () => {
    const rows = [...settled(60, HOUR), row('f', 'failed', 50 * HOUR)];
    expect(readingOf(rows, 'failed', [holding('0.00')])).toBe('not-held');
    for (const held of [
      null,
      [],
      [holding('0.5')],
      [holding('0.25')],
      [holding(null)],
      [holding('0', 'ETH')],
      [holding('0', 'BTC', NOW - 51 * HOUR)],
      [holding('0', 'BTC', 'soon')],
    ])
      expect(readingOf(rows, 'failed', held)).toBe('passing');
  });

  test('is an end as well where the rows of others make exactly what the service holds', () => {
    const moving = [row('p', 'pending', 60), row('q', 'sent', 90), row('r', 'sent', 95)];
    const rows = [...settled(60, HOUR), ...moving, { ...row('f', 'failed', 50 * HOUR), amount: '0.7' }];
    for (const status of ['pending', 'sent']) expect(readingOf(rows, status, [holding('1.50')])).toBe('passing');
    expect(readingOf(rows, 'failed', [holding('1.50')])).toBe('not-held');
    expect(readingOf(rows, 'failed', [holding('1.51')])).toBe('passing');
    // As much as the pending one: which of the two is held for is not to be seen.
    const alike = [...rows.slice(0, -1), row('f', 'failed', 50 * HOUR)];
    expect(readingOf(alike, 'failed', [holding('1.50')])).toBe('passing');
    // What is held for older rows counts as well.
    const older = { ...row('old', 'pending', 900 * HOUR), amount: '0.4' };
    const at = (held: string, further: HomeRow[]) =>
      judge(rows, [holding(held)], NOW, further).statuses.find(({ status }) => status === 'failed')?.reading;
    expect([at('1.90', []), at('1.90', [older])]).toEqual(['passing', 'not-held']);
    const odd = rows.map((each) => (each.id === 'q' ? { ...each, amount: 0.5 } : each));
    expect(readingOf(odd, 'failed', [holding('1.50')])).toBe('passing');
  });
});

test('few rows, and rows without a usable time, are not judged and are counted', () => {
  const few = judge([row('a', 'pending', 90 * HOUR), row('b', 'done', 2 * HOUR)], null, NOW);
  expect(few).toMatchObject({ sitting: [], statuses: [], rows: 2, unjudged: 2 });
  const timeless = [null, 'soon', -1, NOW * 1000, undefined].map((created_at, at) => ({
    ...row(`t${at}`, 'pending', 0),
    created_at,
  }));
  expect(judge([...settled(20, HOUR), ...timeless], null, NOW).rows).toBe(20);
  // Half of them stand: nowhere have four in five moved on.
  const half = settled(12, HOUR, 6);
  expect(judge(half, null, NOW)).toMatchObject({ sitting: [], unjudged: 5 });
});

const words = fc.constantFrom('pending', 'completed', 'failed', 'on hold', '', '__proto__', null);
const anyRows = fc
  .array(
    fc.record({
      status: fc.oneof({ weight: 4, arbitrary: fc.constant('completed') }, { weight: 1, arbitrary: words }),
      asset: fc.constantFrom('BTC', 'ETH', null),
      chain: fc.constantFrom('bitcoin', 'ethereum', null),
      amount: fc.constantFrom<unknown>('1', '0', '2.5', null, 7),
      created_at: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: NOW - 40 * 86_400, max: NOW + 100 }) },
        { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 'x', 5) },
      ),
    }),
    { maxLength: 120 },
  )
  .map((rows): HomeRow[] => rows.map((each, at) => ({ ...each, id: `id${at}` })));

describe('for any rows', () => {
  test('their order does not matter, and rows later by a day are judged the same a day later', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const judged = judge(rows, null, NOW);
        expect(judge(rows.toReversed(), null, NOW)).toEqual(judged);
        const later = rows.map((each) =>
          typeof each.created_at === 'number' && each.created_at > 10
            ? { ...each, created_at: each.created_at + 86_400 }
            : each,
        );
        const ids = ({ sitting }: typeof judged) => sitting.map(({ row: { id } }) => id);
        expect(ids(judge(later, null, NOW + 86_400))).toEqual(ids(judged));
      }),
    );
  });

  test('no word counts: other words for the statuses find the same rows', () => {
    fc.assert(
      fc.property(anyRows, fc.constantFrom('0', '1', '3.5', '7'), (rows, amount) => {
        const held = [holding(amount)];
        const renamed = rows.map((each) => ({ ...each, status: `§${JSON.stringify(each.status)}` }));
        const sorted = (list: string[]) => list.sort();
        expect(sorted(sittingIds(renamed, held))).toEqual(sorted(sittingIds(rows, held)));
      }),
    );
  });

  test('what is found is in a status that few older rows carry, older than an hour and than twice the usual', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const { sitting, statuses, olderRows } = judge(rows, null, NOW);
        for (const { row: found, age, usual } of sitting) {
          const of = statuses.find(({ status }) => status === found.status);
          expect(of?.reading).toBe('passing');
          expect((of?.older ?? olderRows) / olderRows).toBeLessThanOrEqual(0.1);
          expect(age).toBeGreaterThan(Math.max(LEAST_AGE, 2 * usual));
        }
      }),
    );
  });
});
