import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type EarlierWithdrawals, earlierWithdrawals } from '#src/api/earlierWithdrawals.ts';
import { isNotOffered } from '#src/api/errors.ts';
import { settledRecipients, useRecipients } from '#src/api/recipients.ts';
import type { Session } from '#src/api/session.ts';
import { useOperations } from '#src/api/operations/useOperations.ts';
import type { Place } from '#src/lib/chains/lookAlike.ts';
import {
  type KnownAddresses,
  knownAddresses,
  type Use,
  listedUses,
  recordedUses,
  type OwnDeposit,
  ownDeposits,
} from '#src/lib/operations/knownAddresses.ts';

export interface Known {
  known: KnownAddresses;
  ownDeposit: (place: Place) => OwnDeposit | null;
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
export function useKnownAddresses(session: Session, rows: readonly Record<string, unknown>[]): Known {
  const { account } = session;
  const client = useQueryClient();
  const { operations } = useOperations();
  const { entries, isPending } = useRecipients(account);
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
      : { status: query.isPending ? 'reading' : isNotOffered(query.error) ? 'not-offered' : 'unreadable' },
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
