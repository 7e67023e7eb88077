import { useCan } from './permissions.ts';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { knownResultId, type Operation } from '#src/shared/operations/record.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { POLLED } from './polled.ts';
import { useSession } from './session.ts';
import { listWithdrawals, withdrawalQueries } from './listQueries.ts';

const LOOK_MS = 20_000;
/** Limit of look-ups by id, newest first. */
const MOST_LOOKUPS = 20;

/** The newest withdrawals of the service's list; the list isn't in the contract, so it may fail as not offered. */
function newestWithdrawals(account: string) {
  return queryOptions({
    queryKey: [account, 'withdrawals', 'newest'],
    queryFn: ({ signal }) => listWithdrawals({}, null, { limit: LIMIT_MAX, account, signal }),
    staleTime: LOOK_MS / 2,
  });
}

/** The current status of each accepted withdrawal; undefined if not read. */
export function useWithdrawalStatuses(
  operations: readonly Operation[],
): (record: Operation) => string | null | undefined {
  const { account } = useSession();
  const canRead = useCan('read');
  const ids = operations.flatMap((record) => idOf(record) ?? []);
  const enabled = ids.length > 0 && canRead;
  const options = newestWithdrawals(account);
  const { data, isPending } = useQuery({ ...options, enabled });
  const statuses = new Map(data?.data.map(({ id, status }) => [id, status]));
  const further = enabled && !isPending ? ids.filter((id) => !statuses.has(id)).slice(0, MOST_LOOKUPS) : [];
  const found = useQueries({
    queries: further.map((id) => ({ ...withdrawalQueries.detail(account, id), staleTime: LOOK_MS })),
  });
  for (const { data: one } of found) if (one?.found) statuses.set(one.row.id, one.row.status);
  const moving = ids.some((id) => toneOf(statuses.get(id) ?? null) === 'motion');
  // The same query, read again while one of them moves.
  useQuery({ ...options, enabled: enabled && moving, ...POLLED, refetchInterval: LOOK_MS, notifyOnChangeProps: [] });
  return (record) => statuses.get(idOf(record) ?? '');
}

function idOf(record: Operation): string | null {
  return record.state === 'succeeded' && record.kind === 'withdrawal' ? knownResultId(record) : null;
}
