import type { Deposit } from '#src/shared/contract/contract.ts';
import type { Queries } from '#src/server/database/sql.ts';
import { newId } from './ids.ts';
import { openBooks, postEntries } from './ledger.ts';
import { confirmSecondsOf } from './assets.ts';
import { findObject, type ListSource, objectOf } from './page.ts';

type DepositRow = Omit<Deposit, 'object' | 'created_at'> & { created_at: string };

/** Contract 4.4 */
export const DEPOSIT_LIST: ListSource<DepositRow, Deposit> = {
  table: 'deposits',
  columns: 'id, status, asset, chain, received_amount::text, created_at::text',
  idColumn: 'id',
  filters: ['status', 'asset'],
  timed: true,
  toObject: objectOf('deposit'),
};

export interface DepositArrival {
  account: string;
  asset: string;
  chain: string;
  amount: string;
  /** Milliseconds of the account's time. */
  at: number;
  /** When and how it settles; null leaves it pending forever. */
  due: { at: number; status: 'completed' | 'failed' } | null;
}

export async function recordDeposit(tx: Queries, arrival: DepositArrival): Promise<string> {
  const id = newId('dep_');
  const { account, asset, chain, amount, at, due } = arrival;
  await openBooks(tx, account, asset, chain, at);
  await tx.query(
    `insert into deposits (id, account, status, asset, chain, received_amount, created_at, due_at, due_status)
     values ($1, $2, 'pending', $3, $4, $5::numeric, $6, $7, $8)`,
    [id, account, asset, chain, amount, at, due?.at ?? null, due?.status ?? null],
  );
  await postEntries(tx, {
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
 * Changes the status of a pending deposit. `completed` and `failed` settle its funds; with any other status the funds stay
 * pending. Returns false if it was already settled.
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
  await postEntries(tx, { account, asset, type: 'deposit', source: id, at, from: 'pending', to: [{ book, amount }] });
  return true;
}

export function findDeposit(q: Queries, account: string, id: string): Promise<Deposit | null> {
  return findObject(q, DEPOSIT_LIST, account, id);
}

export function confirmDue(asset: string, at: number): { at: number; status: 'completed' } {
  return { at: at + confirmSecondsOf(asset) * 1000, status: 'completed' };
}
