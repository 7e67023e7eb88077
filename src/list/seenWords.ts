import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Page } from '#src/api/paging.ts';
import type { ListRow } from './columns.ts';

/** The statuses or assets of all rows that this page load has read of a resource, whatever the filters were. */
export function seenWords(
  queryClient: QueryClient,
  account: string,
  resource: 'deposits' | 'withdrawals',
  field: 'status' | 'asset',
): Set<string> {
  const words = new Set<string>();
  const lists = queryClient.getQueriesData<InfiniteData<Page<ListRow>>>({
    queryKey: [account, resource, 'list'],
    predicate: ({ queryKey }) => queryKey.length === 4,
  });
  for (const [, list] of lists)
    for (const page of list?.pages ?? [])
      for (const row of page.data) {
        const word = row[field];
        if (word !== null && word !== '') words.add(word);
      }
  return words;
}
