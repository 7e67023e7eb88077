import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { read, type ReadOptions } from './query.ts';
import { listOf } from '#src/shared/contract/rows.ts';
import { type DepositAddress, depositAddressSchema, TEAM_PATH } from '#src/shared/contract/teamContract.ts';

const STALE_MS = 15_000;
const parseList = listOf(depositAddressSchema);

async function madePage(cursor: string | null, options: ReadOptions) {
  const query = cursor === null ? undefined : new URLSearchParams({ cursor });
  const { data: page } = await read(`${TEAM_PATH}/deposit-addresses`, query, parseList, options);
  const next = page.has_more ? page.next_cursor : null;
  return { addresses: page.data, unreadable: page.malformed.length, more: page.has_more, next };
}

export function depositAddressPages(account: string) {
  return infiniteQueryOptions({
    staleTime: STALE_MS,
    queryKey: [account, 'team', 'deposit-addresses', 'pages'],
    queryFn: ({ pageParam, signal }) => madePage(pageParam, { account, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/** All addresses, for a search. If not complete, a missing address may still be ours. */
export function allDepositAddresses(account: string) {
  return queryOptions({
    staleTime: STALE_MS,
    queryKey: [account, 'team', 'deposit-addresses', 'all'],
    queryFn: async ({ signal }) => {
      const all: DepositAddress[] = [];
      let complete = true;
      for (let cursor: string | null = null; ;) {
        const page: Awaited<ReturnType<typeof madePage>> = await madePage(cursor, { account, signal });
        all.push(...page.addresses);
        complete &&= page.unreadable === 0 && (page.more === false || page.next !== null);
        if (page.next === null || page.next === cursor) return { all, complete };
        cursor = page.next;
      }
    },
  });
}
