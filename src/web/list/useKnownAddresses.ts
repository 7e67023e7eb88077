import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
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
import type { ResponseInfo } from '#src/shared/answers.ts';
import type { KnownAddressList } from '#src/shared/contract/overviewContract.ts';
import { knownAddressesQuery } from '#src/web/api/overview.ts';

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
/** Until the server is asked again whether it has read more. */
const AGAIN = 500;

/**
 * The addresses that are known here: of the address book, of the newest operations, of the service's latest
 * withdrawals, and of `rows` that lists have read, which is to stay the same array.
 */
export function useKnownAddresses(rows: readonly Record<string, unknown>[]): AddressHistory {
  const { account } = useSession();
  const client = useQueryClient();
  const { operations } = useOperations();
  const { entries, isPending } = useRecipients();
  const query = useQuery(knownAddressesQuery(account));
  const { data } = query;
  const here = useMemo(() => [...recordedUses(operations), ...listedUses(rows)], [operations, rows]);
  const known = useMemo(() => knownAddresses(entries, [...here, ...usesIn(data)]), [entries, here, data]);
  const ownDeposit = useMemo(() => ownDeposits(operations, rows), [operations, rows]);
  return {
    known,
    ownDeposit,
    list: listOf(data, query.isPending),
    settled: async () => {
      if (!query.isFetching && data?.is_reading !== true && !isPending) return known;
      const read = await listed(client, account);
      return knownAddresses(await settledRecipients(client, account), [...here, ...read]);
    },
  };
}

function listOf(data: KnownAddressList | undefined, isPending: boolean): AddressHistory['list'] {
  if (data === undefined) return { status: isPending ? 'reading' : 'unreadable' };
  const { uses, count, is_complete: complete, info, is_reading: isReading, not_offered: isNotOffered } = data;
  if (isNotOffered) return { status: 'not-offered' };
  // The latest page is enough to say what was searched; the rest is on its way.
  if (info === null) return { status: isReading ? 'reading' : 'unreadable' };
  return { status: 'read', uses, count, complete, date: info.date, readAt: info.readAt };
}

function usesIn(data: KnownAddressList | undefined): readonly Use[] {
  return data === undefined ? [] : [...data.uses, ...data.older];
}

/** The service's list, once the server has read it. */
async function listed(client: QueryClient, account: string): Promise<readonly Use[]> {
  const options = knownAddressesQuery(account);
  const until = Date.now() + PATIENCE;
  const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
  const read = async (): Promise<void> => {
    for (;;) {
      const data = await client.fetchQuery({ ...options, staleTime: AGAIN }).catch(() => null);
      if (data === null || !data.is_reading || Date.now() > until) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  };
  await Promise.race([read(), late]);
  return usesIn(client.getQueryData(options.queryKey));
}

interface EarlierWithdrawals extends Pick<ResponseInfo, 'date' | 'readAt'> {
  uses: readonly Use[];
  count: number;
  complete: boolean;
}
