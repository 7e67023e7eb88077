import { infiniteQueryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { read, type ReadOptions } from './read.ts';
import { parseWith } from './schemas.ts';
import { depositAddressSchema, TEAM_PATH, teamListSchema } from './teamContract.ts';

const parseList = parseWith(teamListSchema);
const always = { staleTime: 15_000, networkMode: 'always', retry: false } as const;

async function madePage(cursor: string | null, options: ReadOptions) {
  const query = cursor === null ? undefined : new URLSearchParams({ cursor });
  const { data: page } = await read(`${TEAM_PATH}/deposit-addresses`, query, parseList, options);
  const parsed = page.data.map((item) => v.safeParse(depositAddressSchema, item));
  const addresses = parsed.flatMap((one) => (one.success ? [one.output] : []));
  const next = page.has_more ? page.next_cursor : null;
  return { addresses, unreadable: parsed.length - addresses.length, next };
}

/** The deposit addresses that were created here, newest first, page by page. */
export function depositAddressPages(account: string) {
  return infiniteQueryOptions({
    ...always,
    queryKey: [account, 'team', 'deposit-addresses', 'pages'],
    queryFn: ({ pageParam, signal }) => madePage(pageParam, { account, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}
