import type { Deposit, List } from '#src/api/contract.ts';

import { newId } from './ids.ts';
import { openBooks, post } from './ledger.ts';
import { readListQuery } from './listQuery.ts';
import { readPage, type ListSource } from './page.ts';
import type { Queries } from '#src/database/sql.ts';
import { unixSecondsOf } from './times.ts';

export type DepositRow = {
  id: string;
  status: string;
  asset: string;
  chain: string;
  received_amount: string;
  created_at: string;
};

export const DEPOSIT_COLUMNS = 'id, status, asset, chain, received_amount::text, created_at::text';

export const depositOf = (row: DepositRow): Deposit => ({
  id: row.id,
  object: 'deposit',
  status: row.status,
  asset: row.asset,
  chain: row.chain,
  received_amount: row.received_amount,
  created_at: unixSecondsOf(row.created_at),
});

const source: ListSource<DepositRow, Deposit> = {
  table: 'deposits',
  columns: DEPOSIT_COLUMNS,
  idColumn: 'id',
  toObject: depositOf,
};

/** Contract 4.4 */
export function listDeposits(q: Queries, account: string, search: URLSearchParams): Promise<List<Deposit>> {
  const query = readListQuery(search, { status: 'status', asset: 'asset' });
  return readPage(q, source, account, query);
}

export interface Arrival {
  account: string;
  asset: string;
  chain: string;
  amount: string;
  /** Milliseconds of the account's time. */
  at: number;
  /** When and how it settles; null leaves it pending for good. */
  due: { at: number; status: 'completed' | 'failed' } | null;
}

/** A deposit arrives: pending, its funds in the pending book. */
export async function receiveDeposit(tx: Queries, arrival: Arrival): Promise<string> {
  const id = newId('dep_');
  const { account, asset, chain, amount, at, due } = arrival;
  await openBooks(tx, account, asset, chain, at);
  await tx.query(
    `insert into deposits (id, account, status, asset, chain, received_amount, created_at, due_at, due_status)
     values ($1, $2, 'pending', $3, $4, $5::numeric, $6, $7, $8)`,
    [id, account, asset, chain, amount, at, due?.at ?? null, due?.status ?? null],
  );
  await post(tx, {
    account,
    asset,
    type: 'deposit',
    source: id,
    at,
    from: 'network',
    to: [{ book: 'pending', amount }],
  });
  return id;
}

/**
 * Gives a pending deposit another status. `completed` and `failed` settle its funds; any other word is only shown, and
 * the funds stay pending. Answers false when it had settled before.
 */
export async function settleDeposit(tx: Queries, id: string, status: string, at: number): Promise<boolean> {
  const rows = await tx.query<{ account: string; asset: string; amount: string }>(
    `update deposits set status = $2, due_at = null, due_status = null
     where id = $1 and status not in ('completed', 'failed')
     returning account, asset, received_amount::text as amount`,
    [id, status],
  );
  const deposit = rows[0];
  if (deposit === undefined) return false;
  if (status !== 'completed' && status !== 'failed') return true;
  const { account, asset, amount } = deposit;
  const book = status === 'completed' ? 'available' : 'network';
  await post(tx, { account, asset, type: 'deposit', source: id, at, from: 'pending', to: [{ book, amount }] });
  return true;
}

export async function findDeposit(q: Queries, account: string, id: string): Promise<Deposit | null> {
  const rows = await q.query<DepositRow>(`select ${DEPOSIT_COLUMNS} from deposits where account = $1 and id = $2`, [
    account,
    id,
  ]);
  return rows[0] === undefined ? null : depositOf(rows[0]);
}
