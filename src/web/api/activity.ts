import { infiniteQueryOptions } from '@tanstack/react-query';
import {
  type Activity,
  ACTIVITY_LIMIT_MAX,
  type ActivityFilters,
  activityPageSchema,
} from '#src/shared/contract/activityContract.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { withParams } from '#src/shared/searchParams.ts';
import { read } from './query.ts';
import { parseWith } from '#src/shared/contract/rows.ts';

const ACTIVITY_PATH = '/api/activity';
const PAGE = 50;

interface PageOf {
  account: string;
  filters: ActivityFilters;
  cursor: string | null;
  limit: number;
  signal?: AbortSignal;
}

async function readPage({ account, filters, cursor, limit, signal }: PageOf) {
  const query = withParams(new URLSearchParams(), { ...filters, limit, cursor: cursor ?? undefined });
  const { data } = await read(ACTIVITY_PATH, query, parseWith(activityPageSchema), { account, signal });
  return data;
}

/** Newest first. */
export function activityPages(account: string, filters: ActivityFilters) {
  return infiniteQueryOptions({
    queryKey: [account, 'activity', filters],
    queryFn: ({ pageParam, signal }) => readPage({ account, filters, limit: PAGE, cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : null),
  });
}

/** All entries that match, for an export. Throws ApiError. */
export async function readAllActivity(account: string, filters: ActivityFilters): Promise<Activity[]> {
  const all: Activity[] = [];
  const end = await followPages(
    (cursor) => readPage({ account, filters, cursor, limit: ACTIVITY_LIMIT_MAX }),
    ({ data }) => void all.push(...data),
  );
  if (end.kind !== 'end') throw new TypeError('The activity couldn’t be read to its end.');
  return all;
}
