import type { ListFilters } from '#src/api/contract.ts';
import type { RowLookup } from '#src/api/findRow.ts';
import type { PageOptions } from '#src/api/listQuery.ts';
import type { Page } from '#src/api/paging.ts';
import type { DepositRow } from '#src/api/schemas.ts';
import type { StatedRow } from '#src/api/statementContract.ts';

/** What a run asks the service. */
export interface Reads {
  list: (filters: ListFilters, cursor: string | null, options: PageOptions) => Promise<Page<DepositRow>>;
  find: (id: string, signal: AbortSignal) => Promise<RowLookup<DepositRow>>;
}

/** The one status that the contract states for a deposit that is through (3). */
export const COMPLETED = 'completed';

/** What is kept of a deposit that was read. */
export function statedRow({ id, status, asset, chain, received_amount, created_at }: DepositRow): StatedRow {
  return { id, status, asset, chain, received_amount: received_amount ?? null, created_at: created_at ?? null };
}
