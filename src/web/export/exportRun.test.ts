import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExportSource } from './exportRun.ts';
import { mayHaveMoved } from './manifest.ts';
import { begin, idsIn, type ExportedRow, row, service, EXPORT_TIME } from './testExport.ts';

describe('an export', () => {
  test('has every row of every page, exactly as it came, and the hash of its bytes', async () => {
    const { sink, run, progress } = begin(
      service([row(1, { amount: '-12.50' }), row(2, { amount: '0.000000000000000001' }), row(3, { amount: 7 })]),
    );
    await run();
    expect(sink.text()).toBe(
      [
        '\uFEFFid,amount,created_at,created_at_utc,created_at_zoned',
        'dep_3,7,1763000003,2025-11-13T02:13:23Z,2025-11-13T02:13:23+00:00',
        'dep_2,0.000000000000000001,1763000002,2025-11-13T02:13:22Z,2025-11-13T02:13:22+00:00',
        'dep_1,-12.50,1763000001,2025-11-13T02:13:21Z,2025-11-13T02:13:21+00:00',
        '',
      ].join('\r\n'),
    );
    const bytes = new TextEncoder().encode(sink.text());
    expect(progress()).toMatchObject({
      rows: 3,
      complete: true,
      bytes: bytes.length,
      sha256: bytesToHex(sha256(bytes)),
      first: { id: 'dep_3' },
      last: { id: 'dep_1' },
      bound: { id: 'dep_3' },
      totals: [{ asset: 'BTC', status: 'completed', rows: 3, sum: '-12.499999999999999999', unreadable: 1 }],
    });
  });

  test('keeps what it has when a page fails, and goes on from the last page written', async () => {
    let failing = true;
    const of = service(
      [1, 2, 3, 4, 5].map((n) => row(n)),
      {
        onRead: (calls) => {
          if (calls === 3 && failing) throw new Error('lost');
        },
      },
    );
    const { sink, run, progress } = begin(of);
    await expect(run()).rejects.toThrow('lost');
    expect(progress()).toMatchObject({ rows: 2, complete: false });
    failing = false;
    await run();
    expect(progress()).toMatchObject({ rows: 5, complete: true, repeated: 0 });
    expect(idsIn(sink.text())).toEqual(['dep_5', 'dep_4', 'dep_3', 'dep_2', 'dep_1']);
    expect(of.asked.map(({ cursor }) => cursor)).toEqual([null, null, 'dep_4', 'dep_4', 'dep_2']);
  });

  test('oldest first: what comes while it reads is not in it, and it stops at the bound', async () => {
    const rows = [1, 2, 3].map((n) => row(n));
    const of = service(rows, { onRead: (calls) => void (calls > 1 && rows.push(row(100 + calls))) });
    const { sink, run, progress } = begin(of, { filters: { order: 'asc' } });
    await run();
    expect(idsIn(sink.text())).toEqual(['dep_1', 'dep_2', 'dep_3']);
    expect(progress()).toMatchObject({ rows: 3, bound: { id: 'dep_3' }, boundMet: true, complete: true });
  });

  test('oldest first: a bound that is gone leaves newer rows out by their time, and the manifest says so', async () => {
    const rows = [1, 2, 3].map((n) => row(n));
    const of = service(rows, {
      onRead: (calls) => {
        if (calls === 2) rows.splice(2, 1, row(50));
      },
    });
    const { sink, run, progress } = begin(of, { filters: { order: 'asc' } });
    await run();
    expect(idsIn(sink.text())).toEqual(['dep_1', 'dep_2']);
    expect(progress()).toMatchObject({ newer: 1, boundMet: false, complete: true });
    expect(mayHaveMoved({ order: 'asc' }, progress()).join(' ')).toContain('was not found again');
  });

  test('oldest first of an empty list has no rows, whatever comes then', async () => {
    const rows: ExportedRow[] = [];
    const of = service(rows, { onRead: () => queueMicrotask(() => void rows.push(row(1))) });
    const { sink, run, progress } = begin(of, { filters: { order: 'asc' } });
    await run();
    expect(idsIn(sink.text())).toEqual([]);
    expect(progress()).toMatchObject({ rows: 0, complete: true });
  });

  test('oldest first: a list that begins with an empty page is not an empty list', async () => {
    const of = service([1, 2, 3].map((n) => row(n)));
    const nothing = {
      data: [],
      malformed: [],
      has_more: true,
      next_cursor: null,
      requestId: null,
      date: null,
      readAt: EXPORT_TIME,
    };
    const readPage: ExportSource<ExportedRow>['readPage'] = async (filters, cursor, options) =>
      options.limit === 1 ? { ...nothing, broken: 'No end.' } : of.readPage(filters, cursor, options);
    const { sink, run, progress } = begin({ readPage }, { filters: { order: 'asc' } });
    await run();
    expect(idsIn(sink.text())).toEqual(['dep_1', 'dep_2', 'dep_3']);
    expect(progress()).toMatchObject({ rows: 3, complete: true });
  });

  test('has each id once, however the pages overlap', async () => {
    const of = service([1, 2, 3].map((n) => row(n)));
    const readPage: ExportSource<ExportedRow>['readPage'] = async (filters, cursor, options) => {
      const page = await of.readPage(filters, cursor, options);
      return options.limit === 1 ? page : { ...page, data: [...page.data, row(2)], malformed: [null] };
    };
    const { sink, run, progress } = begin({ readPage });
    await run();
    expect(idsIn(sink.text())).toEqual(['dep_3', 'dep_2', 'dep_1']);
    expect(progress()).toMatchObject({ rows: 3, repeated: 2, malformed: 2 });
  });

  test('stops when it is cancelled, and is not complete', async () => {
    const stop = new AbortController();
    const of = service(
      [1, 2, 3].map((n) => row(n)),
      { onRead: (calls) => (calls === 2 ? stop.abort() : undefined) },
    );
    const { run, progress } = begin(of);
    await expect(run(stop.signal)).rejects.toThrow();
    expect(progress().complete).toBe(false);
  });

  test('a sink that fails counts nothing that was not written', async () => {
    const made = begin(service([row(1)]));
    const write = made.sink.write;
    let writes = 0;
    made.sink.write = async (bytes) => {
      writes += 1;
      if (writes === 2) throw new Error('disk full');
      return write(bytes);
    };
    await expect(made.run()).rejects.toThrow('disk full');
    expect(made.progress()).toMatchObject({ rows: 0, complete: false });
    await made.run();
    expect(idsIn(made.sink.text())).toEqual(['dep_1']);
  });

  test('JSON Lines holds every object as one line that reads back the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 }), async (objects) => {
        const rows = objects.map((object, n) => ({ ...object, id: `dep_${n}`, created_at: EXPORT_TIME + n }));
        const { sink, run } = begin(service(rows), { format: 'jsonl', filters: { order: 'asc' } });
        await run();
        const lines = sink.text().split('\n').slice(0, -1);
        expect(sink.text()).not.toContain('\uFEFF{"');
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(rows)));
      }),
      { numRuns: 50 },
    );
  });
});

describe('rows at the bounds of the chosen days', () => {
  const filters = { created_after: EXPORT_TIME + 1, created_before: EXPORT_TIME + 4 };
  const rows = [1, 2, 3, 4].map((n) => row(n));

  test.each(['asc', 'desc'] as const)('are left out and counted, %s', async (order) => {
    const { run, progress, sink } = begin(service(rows), {
      filters: order === 'asc' ? { ...filters, order } : filters,
    });
    await run();
    expect(idsIn(sink.text()).toSorted()).toEqual(['dep_2', 'dep_3']);
    expect(progress()).toMatchObject({ rows: 2, outside: 2, complete: true, boundMet: true });
    expect(progress().totals).toMatchObject([{ rows: 2 }]);
  });

  test('two days that touch share no row, and none is lost', async () => {
    const day = async (from: number, to: number) => {
      const { run, sink } = begin(service(rows), { filters: { created_after: from - 1, created_before: to } });
      await run();
      return idsIn(sink.text());
    };
    expect(
      [...(await day(EXPORT_TIME + 1, EXPORT_TIME + 3)), ...(await day(EXPORT_TIME + 3, EXPORT_TIME + 5))].toSorted(),
    ).toEqual(rows.map(({ id }) => id));
  });
});
