import { infiniteQueryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { read } from './read.ts';
import { parseWith } from './schemas.ts';
import { depositAddressSchema, TEAM_PATH, teamListSchema } from './teamContract.ts';

const pageOf = parseWith(teamListSchema);

/** The deposit addresses that were created from here, newest first, page by page. */
export function depositAddressPages(account: string) {
  return infiniteQueryOptions({
    queryKey: [account, 'team', 'deposit-addresses', 'made'],
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams(pageParam === null ? {} : { cursor: pageParam });
      const { data: page } = await read(`${TEAM_PATH}/deposit-addresses`, query, pageOf, { account, signal });
      const made = page.data.map((item) => v.safeParse(depositAddressSchema, item));
      const addresses = made.flatMap((item) => (item.success ? [item.output] : []));
      return { addresses, unreadable: made.length - addresses.length, next: page.has_more ? page.next_cursor : null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 5_000,
    networkMode: 'always',
    retry: false,
  });
}
