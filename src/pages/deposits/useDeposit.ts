import { useQuery } from '@tanstack/react-query';
import { depositQueries } from '#src/api/deposits.ts';
import type { DepositLookup } from '#src/api/findDeposit.ts';
import type { Meta } from '#src/api/read.ts';
import type { DepositRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { useLoadedRow } from '#src/list/loadedRows.ts';

/** A row of the list is shown at once; older than this it is also looked up again. */
const FRESH_MS = 60_000;

/** A deposit by id: what a list has of it at once, and the look-up; `shown` is what is known of it, found or not. */
export function useDeposit(id: string) {
  const account = useSession()?.account ?? '';
  const seen = useLoadedRow('deposits', account, id, lookupOf);
  const { data, error, isFetching, refetch } = useQuery({
    ...depositQueries.detail(account, id),
    staleTime: FRESH_MS,
    ...(seen && { initialData: seen, initialDataUpdatedAt: seen.readAt * 1000 }),
  });
  // A look-up that did not find what a list had shown does not take it away.
  const shown = data?.found ? data : (seen ?? data);
  return { shown, lookup: data, error, reading: isFetching, readAgain: () => void refetch() };
}

function lookupOf(deposit: DepositRow, meta: Meta): DepositLookup {
  return { found: true, deposit, ...meta };
}
