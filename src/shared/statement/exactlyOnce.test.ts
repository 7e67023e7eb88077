import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, test, vi } from 'vitest';
import { propertyRuns } from '#src/tests/depth.ts';
import { readCsv } from '#src/shared/files/csv.ts';
import { createBooks, createService, MONTH_TIME } from './testService.ts';
import { walkRange } from './walkRange.ts';

const DAY = 86_400;

/** The deposits in a closed period's files, without changes of earlier ones. */
function statedIn(bytes: Uint8Array): string[] {
  const files = Object.entries(unzipSync(bytes)).map(([name, text]) => [name, new TextDecoder().decode(text)] as const);
  return files.flatMap(([name, text]) => {
    const lines = (readCsv(text) ?? []).slice(1).map(({ cells }) => cells);
    if (name === 'evidence/deposits.csv') return lines.map(([id = '']) => id);
    if (name === 'evidence/before.csv') return lines.filter(([list]) => list === 'deposits').map(([, id = '']) => id);
    const late = lines.filter(([list, what]) => list === 'deposits' && what === 'late');
    return name === 'evidence/adjustments.csv' ? late.map(([, , id = '']) => id) : [];
  });
}

/** The balance after the last row of a closed period's journal; null without rows. */
function lastBalance(bytes: Uint8Array): string | null {
  const journal = unzipSync(bytes, { filter: ({ name }) => name === 'journal.csv' })['journal.csv'];
  const [head, ...rows] = readCsv(new TextDecoder().decode(journal)) ?? [];
  return rows.at(-1)?.cells[head?.cells.indexOf('balance_after') ?? -1] ?? null;
}

const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => (a < b ? -1 : 1));

describe('every deposit is in exactly one statement', () => {
  const event = fc.record({
    /** Seconds after the previous event; 0 for the same second. */
    passes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 * DAY })),
    /** Seconds after its own time at which a deposit becomes visible: none, hours, or months. */
    late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 7200 }), fc.integer({ min: 0, max: 200 * DAY })),
    amount: fc.constantFrom('0.1', '777', '0.000000000000000001'),
    status: fc.constantFrom('completed', 'pending', 'failed'),
    next: fc.constantFrom('nothing', 'close', 'change', 'vanish', 'vanish while it is read'),
    which: fc.nat(),
  });

  test('however late it appears, whatever shares its second, changes or disappears; and the sums add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 25 }), async (events) => {
        const { service, reads } = createService();
        const books = createBooks(reads, MONTH_TIME - 30 * DAY);
        const gone = new Set<string>();
        service.deposit('dep_old', MONTH_TIME - 90 * DAY);
        for (const [n, { passes, late, amount, status, next, which }] of events.entries()) {
          service.now += passes;
          service.deposit(`dep_${n}`, service.now - late, amount, status);
          const some = service.rows.deposits[which % service.rows.deposits.length];
          if (next === 'change' && some) some['status'] = 'completed';
          if (next === 'vanish' && some) {
            service.vanish(some.id);
            gone.add(some.id);
          }
          if (next === 'vanish while it is read') service.vanishAt = service.requests + 2 + (which % 9);
          if (next === 'close' && service.now > (books.closed.at(-1)?.period.to ?? MONTH_TIME - 30 * DAY))
            await books.close(service.now);
        }
        service.vanishAt = null;
        service.now += 10;
        await books.close(service.now - 5);
        service.now += 10;
        const { month } = await books.close(service.now - 5);

        const stated = books.closed.flatMap(({ bytes }) => statedIn(bytes));
        expect(new Set(stated).size).toBe(stated.length);
        const there = service.rows.deposits.map(({ id }) => id);
        expect(sorted(there.filter((id) => !stated.includes(id)))).toEqual([]);
        expect(month.sums?.[0]).toMatchObject({ closing: service.total(), difference: '0', verdict: 'agrees' });
        for (const { bytes, period } of books.closed) {
          const [sum] = period.sums ?? [];
          expect(lastBalance(bytes) ?? sum?.opening).toBe(sum?.closing);
        }
        // With everything in a statement, any days, whether closed or part of a closed period, add up as well.
        for (const { period } of books.closed)
          for (const from of [period.from, period.from + 1]) {
            const looked = await books.read(period.to, from);
            expect(looked.sums?.[0]).toMatchObject({ difference: '0', verdict: 'agrees' });
            expect(looked.sums?.[0]?.closingVerdict).toBe(from === period.from ? 'agrees' : undefined);
          }
      }),
      { numRuns: propertyRuns(40) },
    );
  }, 60_000);

  test('a change is reported once, and a late deposit by id, in the next statement', async () => {
    const { service, reads } = createService();
    const books = createBooks(reads, MONTH_TIME - 30 * DAY);
    service.deposit('dep_1', MONTH_TIME - 9 * DAY, '1', 'pending');
    await books.close(MONTH_TIME);
    service.now += 40 * DAY;
    service.deposit('dep_2', MONTH_TIME - 20 * DAY, '777');
    const first = service.rows.deposits.find(({ id }) => id === 'dep_1');
    if (first) first['status'] = 'completed';
    const { checked, month } = await books.close(MONTH_TIME + 30 * DAY);
    const reported = checked.adjustments.filter(({ list }) => list === 'deposits');
    expect(reported.map(({ what, id, was }) => [what, id, was])).toEqual([
      ['late', 'dep_2', null],
      ['changed', 'dep_1', 'pending'],
    ]);
    expect(month.sums?.[0]).toMatchObject({ opening: '1', adjustments: '777', closing: '778', verdict: 'agrees' });
    service.now += 40 * DAY;
    expect((await books.close(MONTH_TIME + 60 * DAY)).checked.adjustments).toEqual([]);
  });

  test('an adjustment is counted exactly once, also when looking at earlier periods or parts of them', async () => {
    const { service, reads } = createService();
    const books = createBooks(reads, MONTH_TIME - 30 * DAY);
    service.now = MONTH_TIME + 90 * DAY;
    service.deposit('dep_1', MONTH_TIME - 9 * DAY, '1');
    await books.close(MONTH_TIME);
    service.deposit('dep_2', MONTH_TIME - 8 * DAY, '20');
    await books.close(MONTH_TIME + 30 * DAY);
    service.deposit('dep_3', MONTH_TIME + 9 * DAY, '300');
    await books.close(MONTH_TIME + 60 * DAY);
    const agrees = { difference: '0', verdict: 'agrees' };
    const at = async (from: number, to: number) =>
      (await books.read(MONTH_TIME + to * DAY, MONTH_TIME + from * DAY)).sums?.[0];
    expect(await at(-30, 0)).toMatchObject({ opening: '0', closing: '1', since: '320', ...agrees });
    expect(await at(0, 30)).toMatchObject({ opening: '1', adjustments: '20', closing: '21', ...agrees });
    expect(await at(2, 4)).toMatchObject({ opening: '21', closing: '21', since: '300', ...agrees });
    expect(await at(2, 12)).toMatchObject({ opening: '21', deposits: '300', closing: '321', ...agrees });
    expect(await at(32, 34)).toMatchObject({ opening: '321', closing: '321', ...agrees });
  });

  test('a deposit from before the first period is not an adjustment, unless it appears later', async () => {
    const { service, reads } = createService();
    const books = createBooks(reads, MONTH_TIME - 30 * DAY);
    service.deposit('dep_1', MONTH_TIME - 90 * DAY, '1');
    expect((await books.close(MONTH_TIME)).checked).toMatchObject({ adjustments: [], before: { rows: 2 } });
    service.deposit('dep_2', MONTH_TIME - 90 * DAY, '5');
    service.now += 40 * DAY;
    const { checked } = await books.close(MONTH_TIME + 30 * DAY);
    expect(checked.adjustments.map(({ list, id }) => [list, id])).toEqual([
      ['deposits', 'dep_2'],
      ['ledger', 'le_dep_2'],
    ]);
  });
});

test('closing again after a lost response gives the same bytes at any time', async () => {
  const { service, reads } = createService();
  const books = createBooks(reads, MONTH_TIME - DAY);
  service.deposit('dep_1', MONTH_TIME - 60);
  const { again } = await books.close(MONTH_TIME);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  const { period } = await again();
  vi.useRealTimers();
  expect(period.zip).toEqual(books.closed[0]?.period.zip);
});

test('a deposit without a usable time is in one statement too', async () => {
  const { service, reads } = createService();
  const books = createBooks(reads, MONTH_TIME - DAY);
  service.put('deposits', { id: 'dep_x', asset: 'BTC', status: 'completed', created_at: 'today' });
  for (const to of [MONTH_TIME, MONTH_TIME + DAY, MONTH_TIME + 2 * DAY]) {
    service.now = to;
    await books.close(to);
  }
  expect(books.closed.flatMap(({ bytes }) => statedIn(bytes))).toEqual(['dep_x']);
});

test('each CSV file of a statement starts with the byte order mark, and its hash includes the mark', async () => {
  const { service, reads } = createService();
  const books = createBooks(reads, MONTH_TIME - DAY);
  service.deposit('dep_1', MONTH_TIME - 60);
  await books.close(MONTH_TIME);
  const [statement] = books.closed;
  const files = Object.entries(unzipSync(statement?.bytes ?? new Uint8Array()));
  const marked = files.filter(([, bytes]) => [...bytes.subarray(0, 3)].join() === '239,187,191');
  expect(marked.map(([name]) => name)).toEqual(files.map(([name]) => name).filter((name) => name.endsWith('.csv')));
  const hashes = new Map(files.map(([name, bytes]) => [name, bytesToHex(sha256(bytes))]));
  for (const { name, sha256: hash } of statement?.period.files ?? [])
    expect([name, hash]).toEqual([name, hashes.get(name)]);
});

test('rows with ids and text that a spreadsheet would run are recognized when read back', async () => {
  const { service, reads } = createService();
  const books = createBooks(reads, MONTH_TIME - DAY);
  for (const id of [';;;;;;;;;;;;;', '=1+1', '"a","b"', 'line\r\nbreak', ' @x '])
    service.deposit(id, MONTH_TIME - 60, '1', '+1');
  await books.close(MONTH_TIME);
  service.now += DAY;
  expect((await books.close(MONTH_TIME + 60)).checked.adjustments).toEqual([]);
});

test('if the cursor’s row is gone, the rest of its second is read, each row once', async () => {
  const { service, reads } = createService();
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) service.deposit(id, MONTH_TIME);
  service.deposit('h', MONTH_TIME + 1);
  // Removed after the first page, whose last row is c.
  service.vanishAt = 2;
  const rows: string[] = [];
  const take = (page: readonly { id: string }[]): unknown => rows.push(...page.map(({ id }) => id));
  await walkRange(reads.deposits, { from: MONTH_TIME, to: MONTH_TIME + 9 }, take, new AbortController().signal);
  expect(rows).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
});
