import { describe, expect, test } from 'vitest';
import type { Page } from '#src/api/paging.ts';
import { type CsvColumn, cellText, continueExport, newExport, utcText } from './exportCsv.ts';

interface Row {
  id: string;
  amount?: unknown;
  created_at?: unknown;
}
const columns: CsvColumn<Row>[] = [
  { name: 'id', of: (row) => row.id },
  { name: 'amount', of: (row) => row.amount },
  { name: 'created_at', of: (row) => row.created_at },
  { name: 'created_at_utc', of: (row) => utcText(row.created_at) },
];

function page(data: Row[], next_cursor: string | null, malformed: unknown[] = []): Page<Row> {
  return { data, malformed, next_cursor, has_more: next_cursor !== null, requestId: null, date: null, readAt: 0 };
}

describe('an export', () => {
  test('has every row of every page, exactly as it came', async () => {
    const made = newExport(columns);
    const asked: (string | null)[] = [];
    await continueExport(made, columns, (cursor) => {
      asked.push(cursor);
      const first = [{ id: 'a', amount: '0.000000000000000001', created_at: 1_763_000_000 }];
      return Promise.resolve(cursor === null ? page(first, 'c1') : page([{ id: 'b', amount: '-12.50' }], null));
    });
    expect(asked).toEqual([null, 'c1']);
    expect(made.lines.join('')).toBe(
      'id,amount,created_at,created_at_utc\r\na,0.000000000000000001,1763000000,2025-11-13T02:13:20Z\r\nb,-12.50,,\r\n',
    );
    expect(made).toMatchObject({ rows: 2, complete: true, reached: 1_763_000_000 });
  });

  test('keeps what it has when a page fails, and goes on from there', async () => {
    const made = newExport(columns);
    let failing = true;
    const asked: (string | null)[] = [];
    const fetchPage = (cursor: string | null): Promise<Page<Row>> => {
      asked.push(cursor);
      if (cursor === null) return Promise.resolve(page([{ id: 'a' }], 'c1'));
      if (failing) return Promise.reject(new Error('lost'));
      return Promise.resolve(page([{ id: 'b' }], null));
    };
    await expect(continueExport(made, columns, fetchPage)).rejects.toThrow('lost');
    expect(made).toMatchObject({ rows: 1, complete: false, cursor: 'c1' });
    failing = false;
    await continueExport(made, columns, fetchPage);
    expect(made).toMatchObject({ rows: 2, complete: true });
    expect(asked).toEqual([null, 'c1', 'c1']);
  });

  test('has each id once and counts what it left out', async () => {
    const made = newExport(columns);
    await continueExport(made, columns, () => Promise.resolve(page([{ id: 'a' }, { id: 'a' }], null, [null])));
    expect(made).toMatchObject({ rows: 1, repeated: 1, malformed: 1 });
  });

  test('stops when it is cancelled, and is not complete', async () => {
    const made = newExport(columns);
    const stop = new AbortController();
    const running = continueExport(made, columns, () => Promise.resolve(page([{ id: 'a' }], `c${made.rows}`)), {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(running).rejects.toThrow();
    expect(made.complete).toBe(false);
  });

  test('says what is no text as JSON and a missing value as nothing', () => {
    expect([cellText(1.5), cellText(null), cellText(undefined), cellText({ a: 1 })]).toEqual([
      '1.5',
      '',
      '',
      '{"a":1}',
    ]);
    expect([utcText('x'), utcText(null), utcText(1_763_000_000_000)]).toEqual(['', '', '']);
  });
});
