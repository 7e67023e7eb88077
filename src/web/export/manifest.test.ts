import { expect, test } from 'vitest';
import { manifestText, mayHaveMoved } from './manifest.ts';
import { begin, columns, row, service, EXPORT_TIME } from './testExport.ts';

test('the manifest says what is in the file and what may have moved', async () => {
  const { run, progress } = begin(service([row(1), row(2, { status: 'pending', asset: 'ETH' })]));
  await run();
  const text = manifestText({
    fileName: 'deposits.csv',
    format: 'csv',
    zone: 'utc',
    service: 'sandbox',
    account: 'a1',
    path: '/v1/deposits',
    filters: { status: 'completed' },
    progress: progress(),
  });
  const manifest = JSON.parse(text);
  expect(manifest).toMatchObject({
    file: {
      name: 'deposits.csv',
      column_version: 4,
      columns: columns.map(({ name }) => name),
      zone: 'UTC',
      sha256: progress().sha256,
      complete: true,
    },
    filters: { status: 'completed' },
    rows: 2,
    left_out: { outside_chosen_days: 0 },
    first: { id: 'dep_2', created_at: EXPORT_TIME + 2, created_at_utc: '2025-11-13T02:13:22Z' },
    bound: { id: 'dep_2', stated_by: 'the first row read' },
    read: { pages: 1 },
    totals: [
      { asset: 'BTC', status: 'completed', rows: 1, sum: '0.1' },
      { asset: 'ETH', status: 'pending', rows: 1, sum: '0.1' },
    ],
  });
  expect(manifest.may_have_moved.join(' ')).toContain('filtered status');
});

test('of ledger entries, which have no status, none is said to have changed', async () => {
  const { status: _, ...entry } = row(1);
  const made = [begin(service([entry])), begin(service([row(1)]))];
  const words = await Promise.all(
    made.map(async ({ run, progress }) => {
      await run();
      return mayHaveMoved({}, progress()).join(' ');
    }),
  );
  expect(words[0]).toBe('Rows created after the export began are not in the file.');
  expect(words[1]).toMatch(/^Statuses may have changed/);
});
