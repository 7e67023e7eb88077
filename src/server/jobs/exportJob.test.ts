import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventually } from '#src/tests/eventually.ts';
import type { AttemptResult } from '#src/shared/answers.ts';
import type { ExportFilters, ExportFormat } from '#src/shared/contract/jobsContract.ts';
import { type ExportState, NOTHING_EXPORTED } from '#src/shared/export/exportFile.ts';
import { mayHaveMoved } from '#src/shared/export/manifest.ts';
import { type ExportSaving, PART_BYTES, runExport } from './exportJob.ts';
import type { SavedPart } from './jobRows.ts';
import { type JobClock, JobStopped } from './pageReader.ts';
import {
  answerOf,
  EXPORT_TIME,
  listAnswer,
  quickClock,
  testProvider,
  testRow,
  type TestRow,
  testRows,
} from './testProvider.ts';

interface ExportOptions {
  filters?: ExportFilters;
  format?: ExportFormat;
  zone?: string;
  signal?: AbortSignal;
  /** Called before each save; an error that it throws fails the save. */
  onSave?: (saves: number, saving: ExportSaving) => void;
  clock?: JobClock;
  /** The saved position to start from. */
  from?: ExportState;
}

/** An export of deposits that saves parts and position in memory. Each run() continues from there. */
function exporting(
  provider: Pick<ReturnType<typeof testProvider>, 'read'>,
  {
    filters = {},
    format = 'csv',
    zone = 'UTC',
    signal,
    onSave,
    clock: other,
    from = NOTHING_EXPORTED,
  }: ExportOptions = {},
) {
  const parts: SavedPart[] = [];
  let progress = from;
  let saves = 0;
  const clock = quickClock();
  const keep = async (saving: ExportSaving) => {
    saves += 1;
    onSave?.(saves, saving);
    parts.push(...saving.parts);
    ({ progress } = saving);
  };
  return {
    clock,
    parts,
    text: () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(parts.map(({ bytes }) => bytes))),
    progress: () => progress,
    run: async () => {
      const last = await runExport({
        request: { kind: 'export', list: 'deposits', format, zone, filters },
        progress,
        savedParts: (async function* () {
          yield* [...parts];
        })(),
        service: provider,
        apiKey: 'sk_test',
        clock: other ?? clock,
        signal: signal ?? new AbortController().signal,
        loadTeamColumns: async () => [],
        save: keep,
      });
      await keep(last);
      return last;
    },
  };
}

const idsIn = (text: string): string[] => text.match(/dep_\d+/g) ?? [];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('an export', () => {
  test('has every row of every page, unchanged, and the hash of its bytes', async () => {
    const rows = [
      testRow(1, { received_amount: '-12.50' }),
      testRow(2, { received_amount: '0.000000000000000001' }),
      testRow(3, { received_amount: 7 }),
    ];
    const { run, text, progress } = exporting(testProvider(rows));
    const { sha256: hash } = await run();
    expect(text()).toBe(
      [
        '\uFEFFid,status,asset,chain,received_amount,created_at,created_at_utc,created_at_zoned',
        'dep_3,completed,BTC,,7,1763000003,2025-11-13T02:13:23Z,2025-11-13T02:13:23+00:00',
        'dep_2,completed,BTC,,0.000000000000000001,1763000002,2025-11-13T02:13:22Z,2025-11-13T02:13:22+00:00',
        'dep_1,completed,BTC,,-12.50,1763000001,2025-11-13T02:13:21Z,2025-11-13T02:13:21+00:00',
        '',
      ].join('\r\n'),
    );
    expect(hash).toBe(sha256(text()));
    expect(progress()).toMatchObject({
      rows: 3,
      complete: true,
      bytes: Buffer.byteLength(text()),
      first: { id: 'dep_3' },
      last: { id: 'dep_1' },
      bound: { id: 'dep_3' },
      totals: [{ asset: 'BTC', status: 'completed', rows: 3, sum: '-12.499999999999999999', unreadable: 1 }],
    });
  });

  test('has times in the requested zone', async () => {
    const { run, text } = exporting(testProvider([testRow(1)]), { zone: 'Asia/Kathmandu' });
    await run();
    expect(text()).toContain(',2025-11-13T07:58:21+05:45\r\n');
  });

  test('continues after the last saved page, with the hash of the whole file', async () => {
    const failing: AttemptResult = answerOf(404, { error: { code: 'not_found', message: 'No such list.' } });
    let isFailing = true;
    const provider = testProvider(testRows(5), { onRead: (call) => (call === 3 && isFailing ? failing : undefined) });
    const { run, text, progress } = exporting(provider);
    await expect(run()).rejects.toThrow('The provider refused this (404): No such list.');
    expect(progress()).toMatchObject({ rows: 2, complete: false });
    isFailing = false;
    const { sha256: hash } = await run();
    expect(progress()).toMatchObject({ rows: 5, complete: true, repeated: 0 });
    expect(idsIn(text())).toEqual(['dep_5', 'dep_4', 'dep_3', 'dep_2', 'dep_1']);
    expect(provider.cursors()).toEqual([null, 'dep_4', 'dep_4', 'dep_2']);
    expect(hash).toBe(sha256(text()));
  });

  test('saves a page within a second, however long the next one takes', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const provider = testProvider(testRows(3), {
      onRead: async (call) => {
        if (call === 3) await held;
        return undefined;
      },
    });
    const waits: (() => void)[] = [];
    const clock = {
      ...quickClock(),
      mono: () => 0,
      sleep: () => new Promise<void>((resolve) => void waits.push(resolve)),
    };
    const { run, progress } = exporting(provider, { clock });
    const running = run();
    await eventually(() => expect(waits).toHaveLength(1));
    expect(progress().rows).toBe(0);
    waits[0]?.();
    await eventually(() => expect(progress().rows).toBe(2));
    release();
    await running;
    expect(progress()).toMatchObject({ rows: 3, complete: true });
  });

  test('has the rows so far when it stops, even those of the last second', async () => {
    const provider = testProvider(testRows(9), { onRead: (call) => (call === 4 ? answerOf(401, {}) : undefined) });
    const clock = { ...quickClock(), mono: () => 0, sleep: () => new Promise<void>(() => undefined) };
    const { run, text } = exporting(provider, { clock });
    await expect(run()).rejects.toThrow(JobStopped);
    expect(idsIn(text())).toEqual(['dep_9', 'dep_8', 'dep_7', 'dep_6']);
  });

  test('is the same file, wherever it is interrupted', async () => {
    const rows = [...testRows(7), testRow(8, { asset: 'ETH', received_amount: '1.000000000000000001' })];
    for (const order of ['asc', 'desc'] as const) {
      const filters: ExportFilters = order === 'asc' ? { order } : {};
      const whole = exporting(testProvider(rows), { filters });
      const { sha256: hash } = await whole.run();
      for (let at = 1; at <= 5; at += 1) {
        const cut = exporting(testProvider(rows), {
          filters,
          onSave: (saves) => {
            if (saves === at) throw new Error('cut');
          },
        });
        await expect(cut.run()).rejects.toThrow('cut');
        expect((await cut.run()).sha256).toBe(hash);
        expect(cut.text()).toBe(whole.text());
        expect(cut.progress()).toEqual({ ...whole.progress(), lastReadAt: expect.any(Number) });
      }
    }
  });

  test('does not continue with other columns than it began with', async () => {
    const cut = exporting(testProvider(testRows(9)), {
      onSave: (saves) => {
        if (saves === 2) throw new Error('cut');
      },
    });
    await expect(cut.run()).rejects.toThrow('cut');
    const from = { ...cut.progress(), columns: ['id', 'of a version before'] };
    await expect(exporting(testProvider(testRows(9)), { from }).run()).rejects.toThrow('columns are others now');
  });

  test('does not repeat an id from before an interruption', async () => {
    let isFailing = true;
    const provider = testProvider(testRows(4), {
      onRead: (_, query) => {
        if (query.get('starting_after') !== 'dep_3') return undefined;
        if (isFailing) return answerOf(404, {});
        return listAnswer([testRow(4), testRow(2)], null);
      },
    });
    const { run, text, progress } = exporting(provider);
    await expect(run()).rejects.toThrow(JobStopped);
    isFailing = false;
    await run();
    expect(idsIn(text())).toEqual(['dep_4', 'dep_3', 'dep_2']);
    expect(progress()).toMatchObject({ rows: 3, repeated: 1 });
  });

  test('oldest first: excludes rows that appear while it reads, and stops at the bound', async () => {
    const rows = testRows(3);
    const provider = testProvider(rows, {
      onRead: (call) => {
        if (call > 1) rows.push(testRow(100 + call));
        return undefined;
      },
    });
    const { run, text, progress } = exporting(provider, { filters: { order: 'asc' } });
    await run();
    expect(idsIn(text())).toEqual(['dep_1', 'dep_2', 'dep_3']);
    expect(progress()).toMatchObject({ rows: 3, bound: { id: 'dep_3' }, boundMet: true, complete: true });
  });

  test('oldest first: if the bound is gone, newer rows are excluded by their time, and the manifest says so', async () => {
    const rows = testRows(3);
    const provider = testProvider(rows, {
      onRead: (call) => {
        if (call === 2) rows.splice(2, 1, testRow(50));
        return undefined;
      },
    });
    const { run, text, progress } = exporting(provider, { filters: { order: 'asc' } });
    await run();
    expect(idsIn(text())).toEqual(['dep_1', 'dep_2']);
    expect(progress()).toMatchObject({ newer: 1, boundMet: false, complete: true });
    expect(mayHaveMoved({ order: 'asc' }, progress()).join(' ')).toContain('did not come last');
  });

  test('oldest first: from a provider that ignores the order, the file still has every row', async () => {
    const rows = testRows(5);
    const newestFirst = testProvider(rows, { pageSize: 3 });
    const read: typeof newestFirst.read = (key, target) => newestFirst.read(key, target.replace('order=asc', ''));
    const { run, text, progress } = exporting({ read }, { filters: { order: 'asc' } });
    await run();
    expect(idsIn(text())).toEqual(['dep_5', 'dep_4', 'dep_3', 'dep_2', 'dep_1']);
    expect(progress()).toMatchObject({ rows: 5, boundMet: false, complete: true });
  });

  test('oldest first: an export of an empty list has no rows, even if some appear', async () => {
    const rows: TestRow[] = [];
    const provider = testProvider(rows, {
      onRead: (call) => {
        rows.push(testRow(call));
        return call === 1 ? listAnswer([], null) : undefined;
      },
    });
    const { run, text, progress } = exporting(provider, { filters: { order: 'asc' } });
    await run();
    expect(idsIn(text())).toEqual([]);
    expect(progress()).toMatchObject({ rows: 0, complete: true });
  });

  test('oldest first: a list that begins with an empty page is not an empty list', async () => {
    const noEnd = answerOf(200, { object: 'list', data: [], has_more: true, next_cursor: null });
    const provider = testProvider(testRows(3), {
      onRead: (_, query) => (query.get('limit') === '1' ? noEnd : undefined),
    });
    const { run, text, progress } = exporting(provider, { filters: { order: 'asc' } });
    await run();
    expect(idsIn(text())).toEqual(['dep_1', 'dep_2', 'dep_3']);
    expect(progress()).toMatchObject({ rows: 3, complete: true });
  });

  test('an item without an id is not the bound: the first real row is', async () => {
    const rows: TestRow[] = [...testRows(3), { id: '' }];
    const { run, text, progress } = exporting(testProvider(rows), { filters: { order: 'asc' } });
    await run();
    expect(idsIn(text())).toEqual(['dep_1', 'dep_2', 'dep_3']);
    expect(progress()).toMatchObject({ bound: { id: 'dep_3' }, boundMet: true });
  });

  test('has each id once, even if pages overlap', async () => {
    const provider = testProvider(testRows(3), {
      onRead: (_, query) => {
        if (query.get('limit') === '1') return undefined;
        return query.has('starting_after')
          ? listAnswer([testRow(1), testRow(2), null], null)
          : listAnswer([testRow(3), testRow(2), testRow(2), null], 'dep_2');
      },
    });
    const { run, text, progress } = exporting(provider);
    await run();
    expect(idsIn(text())).toEqual(['dep_3', 'dep_2', 'dep_1']);
    expect(progress()).toMatchObject({ rows: 3, repeated: 2, malformed: 2 });
  });

  test('stops when it is cancelled, and is not complete', async () => {
    const stop = new AbortController();
    const provider = testProvider(testRows(3), {
      onRead: (call) => {
        if (call === 2) stop.abort();
        return undefined;
      },
    });
    const { run, progress } = exporting(provider, { signal: stop.signal });
    await expect(run()).rejects.toThrow('aborted');
    expect(progress().complete).toBe(false);
  });

  test('stops with the rows so far if the provider breaks the paging rules', async () => {
    const provider = testProvider(testRows(3), {
      onRead: (_, query) => (query.has('starting_after') ? listAnswer([testRow(1)], 'dep_2') : undefined),
    });
    const { run, progress } = exporting(provider);
    await expect(run()).rejects.toThrow('The provider sent the same cursor twice.');
    expect(progress()).toMatchObject({ rows: 3, complete: false });
  });

  test('JSON Lines has every object on one line, unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 }), async (objects) => {
        const rows = objects.map((object, n) => ({ ...object, id: `dep_${n}`, created_at: EXPORT_TIME + n }));
        const { run, text } = exporting(testProvider(rows), { format: 'jsonl', filters: { order: 'asc' } });
        await run();
        const lines = text().split('\n').slice(0, -1);
        expect(text()).not.toContain('\uFEFF{"');
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(rows)));
      }),
      { numRuns: 50 },
    );
  });

  test('no part is larger than a megabyte', async () => {
    const rows = [1, 2].map((n) => testRow(n, { status: 'é'.repeat(PART_BYTES) }));
    const { run, parts, text } = exporting(testProvider(rows), { format: 'jsonl' });
    const { sha256: hash } = await run();
    expect(parts.length).toBeGreaterThan(3);
    expect(Math.max(...parts.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(PART_BYTES);
    expect(hash).toBe(sha256(text()));
    expect(parts.flatMap(({ ids }) => ids)).toEqual(['dep_2', 'dep_1']);
  });
});

describe('rows at the bounds of the chosen days', () => {
  const filters = { created_after: EXPORT_TIME + 1, created_before: EXPORT_TIME + 4 };
  const rows = testRows(4);

  test.each(['asc', 'desc'] as const)('are left out and counted, %s', async (order) => {
    const { run, progress, text } = exporting(testProvider(rows), {
      filters: order === 'asc' ? { ...filters, order } : filters,
    });
    await run();
    expect(idsIn(text()).toSorted()).toEqual(['dep_2', 'dep_3']);
    expect(progress()).toMatchObject({ rows: 2, outside: 2, complete: true, boundMet: true });
    expect(progress().totals).toMatchObject([{ rows: 2 }]);
  });

  test('two days that touch share no row, and none is lost', async () => {
    const day = async (from: number, to: number) => {
      const { run, text } = exporting(testProvider(rows), { filters: { created_after: from - 1, created_before: to } });
      await run();
      return idsIn(text());
    };
    expect(
      [...(await day(EXPORT_TIME + 1, EXPORT_TIME + 3)), ...(await day(EXPORT_TIME + 3, EXPORT_TIME + 5))].toSorted(),
    ).toEqual(rows.map(({ id }) => id));
  });
});

test('filters that the provider lacks are applied here, and not sent', async () => {
  const rows = [
    testRow(1, { received_amount: '5' }),
    testRow(2, { received_amount: '10.0' }),
    testRow(3, { received_amount: '11' }),
    testRow(4, { received_amount: 'much' }),
  ];
  const provider = testProvider(rows);
  const { run, text, progress } = exporting(provider, {
    filters: { asset: 'BTC', min_amount: '5.5', max_amount: '10' },
  });
  await run();
  expect(idsIn(text())).toEqual(['dep_2']);
  expect(progress()).toMatchObject({ rows: 1, unmatched: 3 });
  for (const query of provider.reads) {
    expect(query.get('asset')).toBe('BTC');
    expect([...query.keys()]).not.toContain('min_amount');
  }
});

describe('a provider that fails', () => {
  const failures: [string, AttemptResult][] = [
    ['no response', { kind: 'no-answer', reason: 'timeout', ms: 1 }],
    ['500', answerOf(500, {})],
    ['429', answerOf(429, {})],
    ['a body that broke off', { ...answerOf(200, { data: [] }), complete: false } as AttemptResult],
    ['a web page', { ...answerOf(200, {}), text: '<html>' } as AttemptResult],
  ];

  test.each(failures)('%s: the page is requested again, and no row is lost', async (_, failure) => {
    const provider = testProvider(testRows(3), { onRead: (call) => ([1, 3, 4].includes(call) ? failure : undefined) });
    const { run, text, clock } = exporting(provider);
    await run();
    expect(idsIn(text())).toEqual(['dep_3', 'dep_2', 'dep_1']);
    expect(clock.waits).toEqual([400, 400, 800]);
  });

  test('is waited for as long as it asks, with the position saved meanwhile', async () => {
    const provider = testProvider(testRows(3), {
      onRead: (call) => (call === 3 ? answerOf(429, {}, '120') : undefined),
    });
    const savings: [rows: number, waitsUntil: number | null][] = [];
    const { run, clock } = exporting(provider, {
      onSave: (_, { progress, waitsUntil }) => savings.push([progress.rows, waitsUntil]),
    });
    await run();
    // Together with the first page, which was read before.
    expect(savings).toContainEqual([2, (EXPORT_TIME + 120) * 1_000]);
    expect(savings.at(-1)).toEqual([3, null]);
    expect(clock.waits).toEqual([120_000]);
  });

  test('is not retried at once, even if it says so', async () => {
    const provider = testProvider(testRows(3), {
      onRead: (call) => (call === 2 || call === 3 ? answerOf(429, {}, '0') : undefined),
    });
    const { run, clock } = exporting(provider);
    await run();
    expect(clock.waits).toEqual([400, 400]);
  });

  test('for an hour, or that asks to wait for longer, stops the export', async () => {
    const silent = exporting(testProvider(testRows(3), { onRead: () => answerOf(503, {}) }));
    await expect(silent.run()).rejects.toThrow('The provider sent no rows for an hour');
    expect(Math.max(...silent.clock.waits)).toBe(60_000);
    const asking = exporting(testProvider(testRows(3), { onRead: () => answerOf(503, {}, '3601') }));
    await expect(asking.run()).rejects.toThrow('asked to wait for longer');
    expect(asking.clock.waits).toEqual([]);
  });

  test.each([
    ['401', answerOf(401, {}), 'provider-refused'],
    ['404', answerOf(404, {}), 'provider-refused'],
    ['a redirect', { kind: 'no-answer', reason: 'redirect', ms: 1 }, 'provider-refused'],
    ['no list, again and again', answerOf(200, { data: null }), 'not-contract'],
  ] as const)('%s stops it', async (_, failure, code) => {
    const { run } = exporting(testProvider(testRows(3), { onRead: () => failure }));
    await expect(run()).rejects.toMatchObject({ problem: { code } });
  });
});
