import type { Balance, List } from '#src/api/contract.ts';

import { publishDue } from './ledger.ts';
import { readListQuery } from './listQuery.ts';
import { readPage, type ListSource } from './page.ts';
import { notFound } from './refusal.ts';
import { repeated, type Queries } from '#src/database/sql.ts';
import { unixSecondsOf } from './times.ts';

type BalanceRow = {
  asset: string;
  available: string;
  pending: string;
  locked: string;
  total: string;
  updated_at: string;
};

const source: ListSource<BalanceRow, Balance> = {
  table: 'balances',
  columns: `asset, shown_available::text as available, shown_pending::text as pending, shown_locked::text as locked,
    (shown_available + shown_pending + shown_locked)::text as total, shown_at::text as updated_at`,
  idColumn: 'asset',
  toObject: (row) => ({
    object: 'balance',
    asset: row.asset,
    available: row.available,
    pending: row.pending,
    locked: row.locked,
    total: row.total,
    updated_at: unixSecondsOf(row.updated_at),
  }),
};

// A reading locks the rows in its own order and may meet a settlement that locks them in another.
const publishFor = (q: Queries, account: string, now: number) => repeated(() => publishDue(q, account, now));

/** Contract 4.3 */
export async function listBalances(
  q: Queries,
  account: string,
  now: number,
  search: URLSearchParams,
): Promise<List<Balance>> {
  const query = readListQuery(search, { asset: 'asset' }, false);
  await publishFor(q, account, now);
  return readPage(q, source, account, query);
}

/** Contract 4.2 */
export async function findBalance(q: Queries, account: string, now: number, asset: string): Promise<Balance> {
  await publishFor(q, account, now);
  const rows = asset.includes('\0')
    ? []
    : await q.query<BalanceRow>(`select ${source.columns} from balances where account = $1 and asset = $2`, [
        account,
        asset,
      ]);
  if (rows[0] === undefined) throw notFound('This account has never held that asset.');
  return source.toObject(rows[0]);
}
