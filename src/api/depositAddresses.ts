import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { read } from './read.ts';
import { parseWith } from './schemas.ts';
import { type DepositAddress, depositAddressSchema, TEAM_PATH, teamListSchema } from './teamContract.ts';

const parseList = parseWith(teamListSchema);
const STALE_MS = 15_000;

/** The newest 100 deposit addresses that were made here. */
export function newestDepositAddresses(account: string) {
  return queryOptions({
    queryKey: [account, 'team', 'deposit-addresses', 'newest'],
    queryFn: async ({ signal }): Promise<{ addresses: DepositAddress[]; more: boolean }> => {
      const { data } = await read(`${TEAM_PATH}/deposit-addresses`, undefined, parseList, { account, signal });
      const parsed = data.data.map((item) => v.safeParse(depositAddressSchema, item));
      return { addresses: parsed.flatMap((one) => (one.success ? [one.output] : [])), more: data.has_more };
    },
    staleTime: STALE_MS,
    networkMode: 'always',
    retry: false,
  });
}
