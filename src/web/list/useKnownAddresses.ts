import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { settledRecipients, useRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { useOperations } from '#src/web/api/operations/useOperations.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import {
  type KnownAddresses,
  knownAddresses,
  type AddressUse,
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
  /** State of the service's list: still being read, not available, or read so far. */
  list: { status: 'reading' | 'not-offered' | 'unreadable' } | ({ status: 'read' } & EarlierWithdrawals);
  /** Resolves with all known addresses once the service's list was read, or took too long. */
  settled: () => Promise<KnownAddresses>;
}

/** Longest wait for the service's list. */
const WAIT_MAX_MS = 4_000;
/** Pause before asking the server again whether it has read more. */
const RETRY_MS = 500;

/**
 * The addresses that are known here: from the saved recipients, the newest operations, the service's latest withdrawals,
 * and `rows` that lists have read, which must stay the same array.
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
  // With the latest page it is known what was searched; the rest is still being read.
  if (info === null) return { status: isReading ? 'reading' : 'unreadable' };
  return { status: 'read', uses, count, complete, date: info.date, readAt: info.readAt };
}

function usesIn(data: KnownAddressList | undefined): readonly AddressUse[] {
  return data === undefined ? [] : [...data.uses, ...data.older];
}

/** The service's list, once the server has read it. */
async function listed(client: QueryClient, account: string): Promise<readonly AddressUse[]> {
  const options = knownAddressesQuery(account);
  const until = Date.now() + WAIT_MAX_MS;
  const late = new Promise<void>((resolve) => setTimeout(resolve, WAIT_MAX_MS));
  const read = async (): Promise<void> => {
    for (;;) {
      const data = await client.fetchQuery({ ...options, staleTime: RETRY_MS }).catch(() => null);
      if (data === null || !data.is_reading || Date.now() > until) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  await Promise.race([read(), late]);
  return usesIn(client.getQueryData(options.queryKey));
}

interface EarlierWithdrawals extends Pick<ResponseInfo, 'date' | 'readAt'> {
  uses: readonly AddressUse[];
  count: number;
  complete: boolean;
}
