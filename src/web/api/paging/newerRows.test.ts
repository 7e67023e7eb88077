import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { newerRowsQuery, setNewerRows } from './newerRows.ts';

const KEY = ['a', 'deposits', 'list', {}];
const META = { requestId: 'req_1', date: 5, readAt: 6 };

test('a next page in flight undoes no change to the rows before it', async () => {
  const client = new QueryClient();
  let respond: (ids: string[]) => void = () => undefined;
  const observer = new InfiniteQueryObserver(client, {
    queryKey: KEY,
    queryFn: () => new Promise<string[]>((resolve) => (respond = resolve)),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => pages.length,
    initialData: { pages: [['dep_1', 'dep_2']], pageParams: [0] },
    staleTime: Infinity,
  });
  const next = observer.fetchNextPage();
  setNewerRows(client, KEY, new Map([['dep_1', { id: 'dep_1', status: 'completed' }]]), META);
  respond(['dep_3']);
  const { data } = await next;
  expect(data?.pages).toHaveLength(2);
  const { queryKey } = newerRowsQuery<{ id: string; status: string }>(KEY);
  expect(client.getQueryData(queryKey)?.get('dep_1')).toEqual({
    row: { id: 'dep_1', status: 'completed' },
    meta: META,
  });
});

test('rows read again later replace earlier readings and leave those of other rows', () => {
  const client = new QueryClient();
  const { queryKey } = newerRowsQuery<string>(KEY);
  setNewerRows(client, KEY, new Map(Object.entries({ a: 'first', b: 'first' })), META);
  const before = client.getQueryData(queryKey);
  setNewerRows(client, KEY, new Map([['a', 'second']]), { ...META, readAt: 9 });
  const after = client.getQueryData(queryKey);
  expect(['a', 'b'].map((id) => after?.get(id)?.row)).toEqual(['second', 'first']);
  expect([before?.get('a')?.row, after?.get('a')?.meta.readAt]).toEqual(['first', 9]);
});
