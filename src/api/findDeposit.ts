import type { ListFilters } from './contract.ts';
import { findRow, type NoRow } from './findRow.ts';
import type { Page } from './paging.ts';
import type { Meta } from './read.ts';
import type { DepositRow } from './schemas.ts';

type ReadPage = (filters: ListFilters, cursor: string | null, limit: number) => Promise<Page<DepositRow>>;

/** What came of looking for a deposit by id; absent proves nothing. */
export type DepositLookup = (Meta & { found: true; deposit: DepositRow }) | NoRow;

/** Finds a deposit in the list: the contract has no look-up of one (4.4). */
export async function findDeposit(id: string, readPage: ReadPage): Promise<DepositLookup> {
  const lookup = await findRow(id, readPage);
  if (!lookup.found) return lookup;
  const { row, ...found } = lookup;
  return { ...found, deposit: row };
}
