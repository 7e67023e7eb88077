import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ListRow } from './fields.tsx';
import { rowIndexer } from './rows/rowIndex.ts';
import { RowSumsTable, rowSummer } from './rowSums.tsx';

const row = (id: string, status: string, amount: unknown, asset = 'USDT'): ListRow => ({ id, status, amount, asset });
const page = (...data: ListRow[]) => ({ data, malformed: [] });
const amountOf = ({ amount }: ListRow) => amount;

test('sums are exact per asset and status, page after page, and after a row changed', () => {
  const [indexRows, sumsOf] = [rowIndexer<ListRow>(), rowSummer(amountOf)];
  const first = page(row('a', 'completed', '0.1'), row('b', 'pending', '0.2'), row('c', 'completed', 7));
  const second = page(row('d', 'completed', '161566.336377000000000001'), row('e', 'failed', '1', 'BTC'));
  expect(sumsOf(indexRows([first]))).toContainEqual({
    asset: 'USDT',
    status: 'completed',
    rows: 2,
    sum: '0.1',
    unreadable: 1,
  });
  const both = sumsOf(indexRows([first, second]));
  expect(both).toContainEqual({
    asset: 'USDT',
    status: 'completed',
    rows: 3,
    sum: '161566.436377000000000001',
    unreadable: 1,
  });
  expect(both).toContainEqual({ asset: 'BTC', status: 'failed', rows: 1, sum: '1', unreadable: 0 });
  const meta = { requestId: null, date: null, readAt: 9 };
  const newer = new Map([['b', { row: row('b', 'completed', '0.2'), meta }]]);
  const third = page(row('f', 'failed', '2', 'BTC'));
  const after = sumsOf({ ...indexRows([first, second, third]), newer });
  expect(after).toContainEqual({ asset: 'BTC', status: 'failed', rows: 2, sum: '3', unreadable: 0 });
  expect(after.find(({ status }) => status === 'pending')).toBeUndefined();
  expect(after).toContainEqual({
    asset: 'USDT',
    status: 'completed',
    rows: 4,
    sum: '161566.636377000000000001',
    unreadable: 1,
  });
});

test('if no row has a status, there is no column for it', () => {
  const sum = { asset: 'BTC', status: null, rows: 1, sum: '1', unreadable: 0 };
  const entries = renderToStaticMarkup(RowSumsTable({ sums: [sum] }));
  expect(entries).not.toContain('tatus');
  const some = renderToStaticMarkup(RowSumsTable({ sums: [sum, { ...sum, status: 'completed' }] }));
  expect(some).toContain('Exact sums per asset and status');
  expect(some).toContain('no status');
});
