import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Page } from '#src/api/paging.ts';
import { isSearchText } from '#src/lib/searchParams.ts';
import { listsOf, type Resource } from './loadedRow.ts';

interface Words {
  status?: string | null;
  asset: string | null;
}

/** The statuses or assets of all rows that this page load has read of a resource, whatever the filters were. */
export function seenWords(
  queryClient: QueryClient,
  account: string,
  resource: Resource,
  field: 'status' | 'asset',
): Set<string> {
  const words = new Set<string>();
  const lists = queryClient.getQueriesData<InfiniteData<Page<Words>>>(listsOf(account, resource));
  for (const [, list] of lists)
    for (const page of list?.pages ?? [])
      for (const row of page.data) {
        const word = row[field];
        if (word != null && isSearchText(word)) words.add(word);
      }
  return words;
}

/** Words for a filter to suggest: each once, in the order of the alphabet. */
export function sorted(...words: (Iterable<string> | undefined)[]): string[] {
  return [...new Set(words.flatMap((some) => [...(some ?? [])]))].sort((one, other) => one.localeCompare(other));
}
