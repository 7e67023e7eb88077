import type { List } from '#src/api/contract.ts';

import { readListQuery } from './listQuery.ts';
import { readPage, type ListSource } from './page.ts';
import type { Queries } from '#src/database/sql.ts';
import { unixSecondsOf } from './times.ts';

/** One movement of a book. Its shape is ours: the contract shows none (2.6). */
export interface LedgerEntry {
  id: string;
  object: 'ledger_entry';
  /** Entries of one transaction move together. */
  transaction: string;
  type: string;
  asset: string;
  /** available, pending or locked; per asset the three add up to the balance. */
  book: string;
  /** Signed. */
  amount: string;
  /** Id of the deposit, withdrawal or swap; what the account began with has an id of its own. */
  source: string;
  created_at: number;
}

type EntryRow = {
  id: string;
  transaction_id: string;
  type: string;
  asset: string;
  book: string;
  amount: string;
  source: string;
  created_at: string;
};

const source: ListSource<EntryRow, LedgerEntry> = {
  table: 'ledger_entries',
  columns: 'id, transaction_id, type, asset, book, amount::text, source, created_at::text',
  idColumn: 'id',
  always: "book in ('available', 'pending', 'locked')",
  toObject: (row) => ({
    id: row.id,
    object: 'ledger_entry',
    transaction: row.transaction_id,
    type: row.type,
    asset: row.asset,
    book: row.book,
    amount: row.amount,
    source: row.source,
    created_at: unixSecondsOf(row.created_at),
  }),
};

/** Not in the contract; the merchant's own books, with the filters asset, source and the times. */
export function listLedgerEntries(q: Queries, account: string, search: URLSearchParams): Promise<List<LedgerEntry>> {
  const query = readListQuery(search, { asset: 'asset', source: 'source' });
  return readPage(q, source, account, query);
}
