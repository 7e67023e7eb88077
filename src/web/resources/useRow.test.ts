import { type InfiniteData, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { depositQueries } from '#src/web/api/listQueries.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import { listsOf, rowsOfList } from '#src/web/list/rows/loadedRows.ts';
import { loadedRow, renewInLists } from './useRow.ts';

type Row = { id: string; status: string; asset: null; chain: null };

const pageOf = (readAt: number, status: string): Page<Row> => ({
  data: [{ id: 'dep_1', status, asset: null, chain: null }],
  ...{ malformed: [], has_more: false, next_cursor: null, mark: 'one page', requestId: null, date: null, readAt },
});
const listOf = (page: Page<Row>) => ({ pages: [page], pageParams: [null] });

test('a row from a cached list is available at once, in its latest reading and only for its account', () => {
  const client = new QueryClient();
  const all = depositQueries.list('a', {}).queryKey;
  client.setQueryData(depositQueries.list('a', { asset: 'BTC' }).queryKey, listOf(pageOf(5, 'pending')));
  client.setQueryData(all, listOf(pageOf(9, 'completed')));
  // The polled first page is cached under a longer key, and is not a list.
  client.setQueryData([...all, 'fresh'], pageOf(20, 'failed'));
  const find = (account: string, id: string) => loadedRow<Row>(client, account, 'deposits', id);
  expect(find('a', 'dep_1')).toMatchObject({ row: { status: 'completed' }, readAt: 9 });
  expect(find('a', 'dep_2')).toBeUndefined();
  expect(find('b', 'dep_1')).toBeUndefined();
});

test('a later look-up updates the row in every list, but only the fields that lists have', () => {
  const client = new QueryClient();
  const key = (filters: { asset?: string }) => depositQueries.list('a', filters).queryKey;
  client.setQueryData(key({}), listOf(pageOf(5, 'pending')));
  client.setQueryData(key({ asset: 'BTC' }), listOf(pageOf(9, 'pending')));
  const rows = () =>
    client
      .getQueriesData<InfiniteData<Page<Row>>>(listsOf('a', 'deposits'))
      .flatMap((list) => Array.from(rowsOfList(client, list), ({ row }) => row));
  const later = (readAt: number, fields: object) =>
    renewInLists<Row>(client, 'a', 'deposits', {
      ...{ found: true, row: { id: 'dep_1', status: 'completed', asset: null, chain: null, ...fields } },
      ...{ requestId: null, date: null, readAt },
    });
  const [first, second] = rows();
  later(8, { address: 'bc1' });
  expect(rows()).toEqual([{ id: 'dep_1', status: 'completed', asset: null, chain: null }, second]);
  expect(first?.status).toBe('pending');
  later(9, {});
  expect(rows()[1]).toBe(second);
  later(10, {});
  expect(rows().map((row) => row?.status)).toEqual(['completed', 'completed']);
  expect(loadedRow<Row>(client, 'a', 'deposits', 'dep_1')).toMatchObject({ row: { status: 'completed' }, readAt: 10 });
});
