import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import type { PageOptions } from './listQuery.ts';
import { PAGE_SIZE } from './pageQuery.ts';
import { type Page, nextStep } from './paging.ts';

/** A list read as far as the person scrolls and never again by itself: rows do not move under the reader. */
export function infiniteList<T>(
  queryKey: QueryKey,
  readPage: (cursor: string | null, options: PageOptions) => Promise<Page<T>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam, { limit: PAGE_SIZE, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last, _pages, _cursor, used) => {
      const step = nextStep(last, used);
      return step.kind === 'more' ? step.cursor : null;
    },
    // Pages never change but by what was read: comparing them value by value would copy rows and lose where they came from.
    structuralSharing: false,
    staleTime: Infinity,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
