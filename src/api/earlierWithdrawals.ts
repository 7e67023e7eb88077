import { queryOptions } from '@tanstack/react-query';
import { type Use, listedUses } from '#src/lib/operations/knownAddresses.ts';
import { LIMIT_MAX } from './contract.ts';
import { walkPages } from './paging/paging.ts';
import { listWithdrawals } from './withdrawals.ts';

/** How many pages of the service's withdrawals are read to know its recipients. */
const MOST_PAGES = 3;

export interface EarlierWithdrawals {
  uses: Use[];
  /** Withdrawals read. */
  count: number;
  /** The list was read to its end. */
  complete: boolean;
  /** Unix seconds at the last read: the service's clock, null where it states none, and this device's. */
  date: number | null;
  readAt: number;
}

/** The service's latest withdrawals, read once for whom they paid; not in the contract, so it may fail as not offered. */
export function earlierWithdrawals(account: string) {
  return queryOptions({
    queryKey: [account, 'withdrawals', 'recipients'],
    queryFn: ({ signal }) => readEarlier(account, signal),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

async function readEarlier(account: string, signal: AbortSignal): Promise<EarlierWithdrawals> {
  const uses: Use[] = [];
  let count = 0;
  let clocks: Pick<EarlierWithdrawals, 'date' | 'readAt'> = { date: null, readAt: 0 };
  const end = await walkPages(
    (cursor) => listWithdrawals({}, cursor, { limit: LIMIT_MAX, account, signal }),
    ({ data, date, readAt }) => {
      uses.push(...listedUses(data));
      count += data.length;
      clocks = { date, readAt };
    },
    { signal, maxPages: MOST_PAGES },
  );
  return { uses, count, complete: end.kind === 'end', ...clocks };
}
