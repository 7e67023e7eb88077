import type { List, Withdrawal } from '#src/api/contract.ts';

import { readListQuery } from './listQuery.ts';
import { post } from './ledger.ts';
import { readPage, type ListSource } from './page.ts';
import { notFound } from './refusal.ts';
import type { Queries } from '#src/database/sql.ts';
import { unixSecondsOf } from './times.ts';
import { newTxHash } from './txHash.ts';

export type WithdrawalRow = {
  id: string;
  status: string;
  asset: string;
  chain: string;
  amount: string;
  fee: string;
  address: string;
  tx_hash: string | null;
  created_at: string;
};

export const WITHDRAWAL_COLUMNS =
  'id, status, asset, chain, amount::text, fee::text, address, tx_hash, created_at::text';

export const withdrawalOf = (row: WithdrawalRow): Withdrawal => ({
  id: row.id,
  object: 'withdrawal',
  status: row.status,
  asset: row.asset,
  chain: row.chain,
  amount: row.amount,
  fee: row.fee,
  address: row.address,
  tx_hash: row.tx_hash,
  created_at: unixSecondsOf(row.created_at),
});

const source: ListSource<WithdrawalRow, Withdrawal> = {
  table: 'withdrawals',
  columns: WITHDRAWAL_COLUMNS,
  idColumn: 'id',
  toObject: withdrawalOf,
};

/** Not in the contract; takes the filters of 4.4. */
export function listWithdrawals(q: Queries, account: string, search: URLSearchParams): Promise<List<Withdrawal>> {
  const query = readListQuery(search, { status: 'status', asset: 'asset' });
  return readPage(q, source, account, query);
}

/** Contract 4.1 */
export async function findWithdrawal(q: Queries, account: string, id: string): Promise<Withdrawal> {
  const rows = id.includes('\0')
    ? []
    : await q.query<WithdrawalRow>(`select ${WITHDRAWAL_COLUMNS} from withdrawals where account = $1 and id = $2`, [
        account,
        id,
      ]);
  if (rows[0] === undefined) throw notFound('This account has no withdrawal with that id.');
  return withdrawalOf(rows[0]);
}

/** What follows by itself, later; null when nothing does. */
export interface Due {
  at: number;
  status: string;
}

/**
 * Moves a withdrawal that is in flight on. `completed` sends the locked funds out, `failed` releases them, any other
 * word is only shown. A hash is made up once it is broadcasted. Answers false when it had ended before.
 */
export async function moveWithdrawal(
  tx: Queries,
  id: string,
  to: { status: string; txHash?: string | undefined; at: number; due: Due | null },
): Promise<boolean> {
  const [current] = await tx.query<{ chain: string; tx_hash: string | null }>(
    `select chain, tx_hash from withdrawals where id = $1 and status not in ('completed', 'failed') for update`,
    [id],
  );
  if (current === undefined) return false;
  const onChain = to.status === 'broadcasted' || to.status === 'completed';
  const txHash = to.txHash ?? current.tx_hash ?? (onChain ? newTxHash(current.chain) : null);
  const [moved] = await tx.query<{ account: string; asset: string; amount: string; fee: string; net: string }>(
    `update withdrawals set status = $2, tx_hash = $3, due_at = $4, due_status = $5 where id = $1
     returning account, asset, amount::text, fee::text, (amount - fee)::text as net`,
    [id, to.status, txHash, to.due?.at ?? null, to.due?.status ?? null],
  );
  if (moved === undefined) return false;
  const { account, asset, amount, fee, net } = moved;
  const ending = { account, asset, type: 'withdrawal', source: id, at: to.at, from: 'locked' } as const;
  if (to.status === 'failed') await post(tx, { ...ending, to: [{ book: 'available', amount }] });
  if (to.status === 'completed') {
    await post(tx, {
      ...ending,
      to: [
        { book: 'network', amount: net },
        { book: 'fees', amount: fee },
      ],
    });
  }
  return true;
}
