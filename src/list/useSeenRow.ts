import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Page } from '#src/api/paging.ts';
import type { Meta } from '#src/api/read.ts';
import type { DepositRow, LedgerEntryRow, WithdrawalRow } from '#src/api/schemas.ts';
import { listsOf, loadedRow } from './loadedRow.ts';

interface Rows {
  deposits: DepositRow;
  withdrawals: WithdrawalRow;
  'ledger-entries': LedgerEntryRow;
}

/**
 * What the lists had of a row when it was opened, in the shape of its look-up; undefined when none had it. `as` is of
 * module scope, so that what is given stays one and the same.
 */
export function useSeenRow<R extends keyof Rows, S>(
  resource: R,
  account: string,
  id: string,
  as: (row: Rows[R], meta: Meta) => S,
): S | undefined {
  const queryClient = useQueryClient();
  return useMemo(() => {
    const lists = queryClient.getQueriesData<InfiniteData<Page<Rows[R]>>>(listsOf(account, resource));
    const loaded = loadedRow(lists, id);
    return loaded && as(loaded.row, loaded.meta);
  }, [queryClient, resource, account, id, as]);
}
