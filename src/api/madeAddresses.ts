import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { BrokenPaging } from './paging.ts';
import { read } from './read.ts';
import { parseWith } from './schemas.ts';
import { type DepositAddress, depositAddressSchema, TEAM_PATH, teamListSchema } from './teamContract.ts';

const PATH = `${TEAM_PATH}/deposit-addresses`;

/** Every deposit address that was created here, newest first, each with its label. */
export function madeAddressesQuery(account: string) {
  return queryOptions({
    queryKey: [account, 'team', 'deposit-addresses', 'made'],
    queryFn: async ({ signal }): Promise<readonly DepositAddress[]> => {
      const made: DepositAddress[] = [];
      const query = new URLSearchParams();
      for (;;) {
        const { data: page } = await read(PATH, query, parseWith(teamListSchema), { account, signal });
        made.push(...page.data.map((item) => v.parse(depositAddressSchema, item)));
        if (!page.has_more) return made;
        if (page.next_cursor === null || page.next_cursor === query.get('cursor'))
          throw new BrokenPaging('The server says that there is more, but not where.');
        query.set('cursor', page.next_cursor);
      }
    },
    networkMode: 'always',
    retry: false,
  });
}
