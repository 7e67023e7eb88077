import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ListFilters } from '#src/shared/contract/contract.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import { pageMark } from '#src/shared/paging/nextStep.ts';
import { dateOf } from '#src/shared/time.ts';
import { assetsByRowCount, binsOf, spanOf } from './bins.ts';
import { type Countable, type CountableRow, type Counted, countOn, newCount, tallyOf } from './counted.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

type ReadRows = Countable['readPage'];
const NOW = Date.UTC(2026, 10, 21, 14) / 1000;
const HOUR = 3600;

/** A list as the service has it: newest first, `size` to a page. */
function service(rows: readonly CountableRow[], { size = 3, onRead = (_calls: number): void => undefined } = {}) {
  const asked: { filters: ListFilters; cursor: string | null }[] = [];
  const read: ReadRows = async (filters, cursor, { limit }) => {
    asked.push({ filters, cursor });
    onRead(asked.length);
    const ordered = filters.order === 'asc' ? rows.toReversed() : rows;
    const from = cursor === null ? 0 : ordered.findIndex(({ id }) => id === cursor) + 1;
    const data = ordered.slice(from, from + (limit === 1 ? 1 : size));
    const has_more = from + data.length < ordered.length;
    const next_cursor = has_more ? (data.at(-1)?.id ?? null) : null;
    const mark = pageMark(data);
    return { data, malformed: [], has_more, next_cursor, mark, requestId: null, date: NOW, readAt: NOW + 5 };
  };
  return { asked, read };
}

const row = (n: number, hoursAgo: number, asset: string | null = 'BTC'): CountableRow => ({
  id: `dep_${n}`,
  asset,
  created_at: NOW - hoursAgo * HOUR,
});

const keeps = () => true;
const amountOf = (deposit: CountableRow & { amount?: unknown }): unknown => deposit.amount;

async function count(read: ReadRows, { pages = Infinity, from = newCount({}, 'utc') } = {}): Promise<Counted> {
  let last = from;
  await countOn(from, pages, { readPage: read, keeps, amountOf }, new AbortController().signal, (next) => {
    last = next;
  });
  return last;
}

const byDay = ({ days }: Counted) =>
  Object.fromEntries(
    [...days].map(([day, counts]) => [day, Object.fromEntries([...counts].map(([asset, { rows }]) => [asset, rows]))]),
  );

describe('a count', () => {
  test('has every row once, under its day and asset, newest first whatever the list’s order', async () => {
    const { asked, read } = service([row(5, 1), row(4, 2, 'ETH'), row(3, 15), row(2, 16, null), row(1, 100)]);
    const counted = await count(read);
    expect(byDay(counted)).toEqual({
      '2026-11-21': { BTC: 1, ETH: 1 },
      '2026-11-20': { BTC: 1, '': 1 },
      '2026-11-17': { BTC: 1 },
    });
    expect(counted).toMatchObject({ rows: 5, end: 'all', far: '2026-11-17', asOf: NOW });
    expect(asked.map(({ filters, cursor }) => [filters.order, cursor])).toEqual([
      [undefined, null],
      [undefined, 'dep_3'],
      ['asc', null],
    ]);
  });

  test('of a list filtered by a status has its rows as done, even if they failed', async () => {
    const failed = { ...row(1, 1), status: 'failed', amount: '100' };
    const span = { from: '2026-11-21', to: '2026-11-21' };
    const both = await count(service([failed]).read);
    expect(tallyOf(both, 'BTC', span)).toMatchObject({ done: { rows: 0 }, failed: { rows: 1, sum: '100' } });
    const asked = await count(service([failed]).read, { from: newCount({ status: 'failed' }, 'utc') });
    expect(tallyOf(asked, 'BTC', span)).toMatchObject({ done: { rows: 1, sum: '100' }, failed: { rows: 0 } });
  });

  test('adds up to the rows of the list in any zone, and marks no day as read that wasn’t', async () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu');
    const hours = fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(zones, hours, fc.integer({ min: 1, max: 12 }), async (zone, ago, pages) => {
        vi.stubEnv('TZ', zone);
        const rows = ago
          .sort((a, b) => a - b)
          .map((hour, at) => row(at, hour, ['BTC', 'ETH', 'SOL', 'X', 'Y'][at % 5]));
        const counted = await count(service(rows).read, { pages, from: newCount({}, 'local') });
        const span = spanOf(counted);
        if (!span) throw new Error('no span');
        const assets = assetsByRowCount(counted, span);
        const dayOfRow = rows.map(({ created_at: at }) => dateOf(Number(at), 'local'));
        for (const unit of ['day', 'week', 'month'] as const) {
          const bins = binsOf(counted, span, unit);
          expect(bins.reduce((sum, bin) => sum + bin.rows, 0)).toBe(counted.rows);
          expect(assets.reduce((sum, [, each]) => sum + each, 0)).toBe(counted.rows);
          for (const bin of bins) {
            const within = (days: readonly string[]): number =>
              days.filter((day) => bin.from <= day && day <= bin.to).length;
            expect(bin.rows).toBe(within(dayOfRow.slice(0, counted.rows)));
            // A bin marked as read must be complete, and one marked as unread must be empty.
            expect(bin.state === 'read' ? within(dayOfRow) : bin.rows).toBe(bin.rows);
            expect(bin.state === 'unread' ? bin.rows : 0).toBe(0);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  test('keeps its rows when a page fails, and continues from there', async () => {
    const rows = [7, 6, 5, 4, 3, 2, 1].map((n) => row(n, 10 - n));
    let failing = true;
    const { asked, read } = service(rows, {
      onRead: (calls) => {
        if (calls === 4 && failing) throw new Error('lost');
      },
    });
    let kept = newCount({}, 'utc');
    const going = countOn(kept, Infinity, { readPage: read, keeps, amountOf }, new AbortController().signal, (next) => {
      kept = next;
    });
    await expect(going).rejects.toThrow('lost');
    expect(kept).toMatchObject({ rows: 6, end: 'more' });
    failing = false;
    const whole = await count(read, { from: kept });
    expect(whole).toMatchObject({ rows: 7, repeated: 0, end: 'all' });
    expect(asked.slice(-2).map(({ cursor }) => cursor)).toEqual(['dep_2', 'dep_2']);
  });

  test('counts separately rows without a time, repeated rows, and items that are no rows', async () => {
    const rows = [row(3, 1), { ...row(2, 2), created_at: 1_795_228_907_000 }, row(1, 3)];
    const of = service(rows, { size: 9 });
    const read: ReadRows = async (...asked) => {
      const page: Page<CountableRow> = await of.read(...asked);
      return { ...page, data: [...page.data, row(3, 1)], malformed: [null] };
    };
    const counted = await count(read);
    expect(counted).toMatchObject({ rows: 3, untimed: 1, repeated: 1, malformed: 1 });
    expect(byDay(counted)).toEqual({ '2026-11-21': { BTC: 2 } });
  });

  test('ends with a reason if the paging cannot be followed, and adds nothing once it is stopped', async () => {
    const rows = [4, 3, 2, 1].map((n) => row(n, 10 - n));
    const of = service(rows, { size: 2 });
    const read: ReadRows = async (...asked) => ({ ...(await of.read(...asked)), has_more: true, next_cursor: 'same' });
    expect(await count(read)).toMatchObject({
      rows: 2,
      end: 'broken',
      reason: expect.stringContaining('same cursor twice'),
    });

    const stop = new AbortController();
    const told: Counted[] = [];
    const late = service(rows, { size: 2, onRead: () => stop.abort() });
    await expect(
      countOn(
        newCount({}, 'utc'),
        9,
        { readPage: late.read, keeps, amountOf },
        stop.signal,
        (next) => void told.push(next),
      ),
    ).rejects.toThrow();
    expect(told).toEqual([]);
  });

  test('sums amounts exactly, per asset and over any days, and counts unreadable amounts separately', async () => {
    const amounts = ['0.1', '0.2', '123456789012345678901234567890.000000000000000001', '1e3', 7];
    const rows = amounts.map((amount, at) => ({ ...row(9 - at, at * 20), amount }));
    const counted = await count(service([...rows, { ...row(1, 99, 'ETH'), amount: '5' }]).read);
    expect(tallyOf(counted, 'BTC', { from: '2026-11-19', to: '2026-11-21' })).toMatchObject({
      rows: 4,
      sum: '123456789012345678901234567890.300000000000000001',
      unreadable: 1,
    });
    expect(tallyOf(counted, 'ETH', { from: '2026-11-01', to: '2026-11-30' })).toMatchObject({
      rows: 1,
      sum: '5',
      unreadable: 0,
    });
    expect(tallyOf(counted, 'ETH', { from: '2026-11-21', to: '2026-11-21' })).toMatchObject({
      rows: 0,
      sum: '0',
      unreadable: 0,
    });
  });

  test('distinguishes completed and failed rows, and finds the largest', async () => {
    const amounts = [
      ['completed', '2'],
      ['failed', '9'],
      ['completed', '7'],
      ['pending', '5'],
    ];
    const rows = amounts.map(([status, amount], at) => ({ ...row(9 - at, at), status, amount }));
    const all = { from: '2026-11-01', to: '2026-11-30' };
    expect(tallyOf(await count(service(rows).read), 'BTC', all)).toMatchObject({
      rows: 4,
      done: { rows: 2, sum: '9' },
      failed: { rows: 1, sum: '9' },
      largest: { id: 'dep_7', amount: '7' },
    });
    // With a status filter, every row counts as done.
    const filtered = await count(service(rows.slice(3)).read, { from: newCount({ status: 'pending' }, 'utc') });
    expect(tallyOf(filtered, 'BTC', all).done).toEqual({ rows: 1, sum: '5' });
  });
});
