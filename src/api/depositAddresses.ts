import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { read, type ReadOptions } from './read.ts';
import { parseWith } from './schemas.ts';
import { type DepositAddress, depositAddressSchema, TEAM_PATH, teamListSchema } from './teamContract.ts';

const STALE_MS = 15_000;
const parseList = parseWith(teamListSchema);

async function madePage(cursor: string | null, options: ReadOptions) {
  const query = cursor === null ? undefined : new URLSearchParams({ cursor });
  const { data: page } = await read(`${TEAM_PATH}/deposit-addresses`, query, parseList, options);
  const parsed = page.data.map((item) => v.safeParse(depositAddressSchema, item));
  const addresses = parsed.flatMap((one) => (one.success ? [one.output] : []));
  const next = page.has_more ? page.next_cursor : null;
  return { addresses, unreadable: parsed.length - addresses.length, more: page.has_more, next };
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

/** All of them at once, for a search; not complete: of one that is missing nobody may say that it is not ours. */
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
        complete &&= page.unreadable === 0 && (!page.more || page.next !== null);
        if (page.next === null || page.next === cursor) return { all, complete };
        cursor = page.next;
      }
    },
  });
}
