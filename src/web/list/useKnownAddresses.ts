import { type QueryClient, useQuery, useQueryClient, queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { saysNotFound } from '#src/web/api/errors.ts';
import { settledRecipients, useRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { useOperations } from '#src/web/api/operations/useOperations.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import {
  type KnownAddresses,
  knownAddresses,
  type Use,
  listedUses,
  recordedUses,
  type OwnDeposit,
  ownDeposits,
} from '#src/shared/operations/knownAddresses.ts';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import type { ResponseInfo } from '#src/web/api/query.ts';
import { walkPages } from '#src/web/api/paging/paging.ts';
import { listWithdrawals } from '#src/web/api/listQueries.ts';

export interface AddressHistory {
  known: KnownAddresses;
  ownDeposit: (target: ChainAddress) => OwnDeposit | null;
  /** What the service's list could add: still being read, read so far, or nothing. */
  list: { status: 'reading' | 'not-offered' | 'unreadable' } | ({ status: 'read' } & EarlierWithdrawals);
  /** Everything known once the service's list has answered, or has taken too long to be waited for. */
  settled: () => Promise<KnownAddresses>;
}

/** Nobody waits longer than this for the service's list; milliseconds. */
const PATIENCE = 4_000;

/**
 * The addresses that are known here: of the address book, of the newest operations, of the service's latest
 * withdrawals, and of `rows` that lists have read, which is to stay the same array.
 */
export function useKnownAddresses(rows: readonly Record<string, unknown>[]): AddressHistory {
  const { account } = useSession();
  const client = useQueryClient();
  const { operations } = useOperations();
  const { entries, isPending } = useRecipients();
  const query = useQuery(earlierWithdrawals(account));
  const { data } = query;
  const here = useMemo(() => [...recordedUses(operations), ...listedUses(rows)], [operations, rows]);
  const known = useMemo(() => knownAddresses(entries, [...here, ...(data?.uses ?? [])]), [entries, here, data]);
  const ownDeposit = useMemo(() => ownDeposits(operations, rows), [operations, rows]);
  return {
    known,
    ownDeposit,
    list: data
      ? { status: 'read', ...data }
      : { status: query.isPending ? 'reading' : saysNotFound(query.error) ? 'not-offered' : 'unreadable' },
    settled: async () => {
      if (!query.isFetching && !isPending) return known;
      const read = await listed(client, account);
      return knownAddresses(await settledRecipients(client, account), [...here, ...read]);
    },
  };
}

async function listed(client: QueryClient, account: string): Promise<readonly Use[]> {
  const { queryKey } = earlierWithdrawals(account);
  const reading = client.getQueryCache().find({ queryKey })?.promise;
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([reading?.catch(() => undefined), patience]);
  return client.getQueryData(queryKey)?.uses ?? [];
}

const MOST_PAGES = 3;

interface EarlierWithdrawals extends Pick<ResponseInfo, 'date' | 'readAt'> {
  uses: Use[];
  count: number;
  complete: boolean;
}

/** The service's latest withdrawals, read once for whom they paid; not in the contract, so it may fail as not offered. */
export function earlierWithdrawals(account: string) {
  return queryOptions({
    queryKey: [account, 'withdrawals', 'recipients'],
    queryFn: async ({ signal }) => {
      let read: Omit<EarlierWithdrawals, 'complete'> = { uses: [], count: 0, date: null, readAt: 0 };
      const end = await walkPages(
        (cursor) => listWithdrawals({}, cursor, { limit: LIMIT_MAX, account, signal }),
        ({ data, date, readAt }) => {
          read = { uses: [...read.uses, ...listedUses(data)], count: read.count + data.length, date, readAt };
        },
        { signal, maxPages: MOST_PAGES },
      ).catch((error: unknown) => {
        // Whom the pages before it paid is known all the same.
        if (read.count === 0 || signal.aborted) throw error;
        return null;
      });
      return { ...read, complete: end?.kind === 'end' };
    },
    staleTime: 60_000,
  });
}
