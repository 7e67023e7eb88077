import type { Queries } from '#src/server/database/sql.ts';
import type { SandboxAccount } from './accounts.ts';
import { settleDeposit } from './deposits.ts';
import type { Withdrawal } from '#src/shared/contract/contract.ts';
import { findObject, type ListSource, objectOf } from './page.ts';
import { postEntries } from './ledger.ts';
import {
  notFound,
  insufficientFunds,
  invalid,
  json,
  type Reply,
  readAmountField,
  decimalsOf,
  stringField,
  type JsonObject,
} from './outcome.ts';
import { newTxHash, newId } from './ids.ts';
import { feeOf, checkPair } from './assets.ts';
import type { Kill } from './context.ts';

type WithdrawalRow = Omit<Withdrawal, 'object' | 'created_at'> & { created_at: string };

/** The list is not in the contract; it has the filters of 4.4. */
export const WITHDRAWAL_LIST: ListSource<WithdrawalRow, Withdrawal> = {
  table: 'withdrawals',
  columns: 'id, status, asset, chain, amount::text, fee::text, address, tx_hash, created_at::text',
  idColumn: 'id',
  filters: ['status', 'asset'],
  timed: true,
  toObject: objectOf('withdrawal'),
};

/** Contract 4.1 */
export async function findWithdrawal(q: Queries, account: string, id: string): Promise<Withdrawal> {
  const found = await findObject(q, WITHDRAWAL_LIST, account, id);
  if (found === null) throw notFound('This account has no withdrawal with that id.');
  return found;
}

export interface DueStep {
  at: number;
  status: string;
}

// When steps fall due, in ms of the account's time. The living account is faster, so that a person can watch.
const STILL = { broadcast: 60_000, complete: 300_000 };
const LIVING = { broadcast: 12_000, complete: 40_000, failInThousand: 60 };

/** The next step of a new withdrawal: its broadcast, or a failure for a few of the living account. */
function broadcastDue(account: SandboxAccount, now: number): DueStep {
  if (!account.lives) return { at: now + STILL.broadcast, status: 'broadcasted' };
  const fails = Math.random() * 1000 < LIVING.failInThousand;
  return { at: now + LIVING.broadcast, status: fails ? 'failed' : 'broadcasted' };
}

export function completeDue(account: SandboxAccount, now: number): DueStep {
  return { at: now + (account.lives ? LIVING.complete : STILL.complete), status: 'completed' };
}

/**
 * Changes the status of a withdrawal in flight. `completed` sends the locked funds, `failed` releases them; any other status
 * moves nothing. A hash is generated once it is broadcasted. Returns false if it had already ended.
 */
export async function setWithdrawalStatus(
  tx: Queries,
  id: string,
  to: { status: string; txHash?: string | undefined; at: number; due: DueStep | null },
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
  if (to.status === 'failed') await postEntries(tx, { ...ending, to: [{ book: 'available', amount }] });
  if (to.status === 'completed') {
    await postEntries(tx, {
      ...ending,
      to: [
        { book: 'network', amount: net },
        { book: 'fees', amount: fee },
      ],
    });
  }
  return true;
}

type Books = { available: string; decimals: number; enough: boolean; above_fee: boolean };

/**
 * POST /v1/withdrawals: checked against the ledger while locking its balance, in the caller's transaction. The fee is
 * deducted from the amount.
 */
export async function createWithdrawal(
  tx: Queries,
  account: SandboxAccount,
  now: number,
  body: JsonObject,
  kill: Kill,
): Promise<Reply> {
  const asset = stringField(body, 'asset', 64);
  const chain = stringField(body, 'chain', 64);
  const amount = readAmountField(body, 'amount');
  const address = stringField(body, 'address', 200);
  await checkPair(tx, account.id, asset, chain);
  const fee = feeOf(asset);
  const [books] = await tx.query<Books>(
    `select available::text, scale(available) as decimals, available >= $3::numeric as enough,
       $3::numeric > $4::numeric as above_fee
     from balances where account = $1 and asset = $2 for update`,
    [account.id, asset, amount, fee],
  );
  if (books !== undefined && decimalsOf(amount) > books.decimals) {
    throw invalid('amount', `${asset} has ${books.decimals} decimals.`);
  }
  if (books === undefined || !books.enough) {
    const available = books?.available ?? '0';
    throw insufficientFunds(`amount: insufficient funds, ${available} ${asset} is available for withdrawal.`);
  }
  if (!books.above_fee) throw invalid('amount', `must be greater than the fee of ${fee} ${asset}.`);

  const id = newId('wd_');
  await postEntries(tx, {
    account: account.id,
    asset,
    type: 'withdrawal',
    source: id,
    at: now,
    from: 'available',
    to: [{ book: 'locked', amount }],
  });
  kill('debit');
  const due = broadcastDue(account, now);
  const rows = await tx.query<WithdrawalRow>(
    `insert into withdrawals (id, account, status, asset, chain, amount, fee, address, created_at, due_at, due_status)
     values ($1, $2, 'pending', $3, $4, $5::numeric, round($6::numeric, $7::int), $8, $9, $10, $11)
     returning ${WITHDRAWAL_LIST.columns}`,
    [id, account.id, asset, chain, amount, fee, books.decimals, address, now, due.at, due.status],
  );
  return json(201, rows.map(WITHDRAWAL_LIST.toObject)[0]);
}

type DueRow = { kind: 'deposit' | 'withdrawal'; id: string; at: number; status: string };
type FellDue = Omit<DueRow, 'at'>;

async function nextDue(tx: Queries, account: string, until: number): Promise<DueRow[]> {
  return tx.query<DueRow>(
    `select kind, id, due_at::float8 as at, due_status as status from (
       select 'deposit' as kind, id, due_at, due_status from deposits where account = $1 and due_at <= $2
       union all
       select 'withdrawal', id, due_at, due_status from withdrawals where account = $1 and due_at <= $2) due
     order by due.due_at, due.id limit 500`,
    [account, until],
  );
}

/**
 * Applies everything that falls due until that time of the account, in order and each at its own time, including the steps
 * that result; returns it in that order. The caller locks the account's row, so that two processes never settle one account.
 */
export async function settle(tx: Queries, account: SandboxAccount, until: number): Promise<FellDue[]> {
  const settled: FellDue[] = [];
  for (;;) {
    const batch = await nextDue(tx, account.id, until);
    if (batch.length === 0) return settled;
    let followed = Number.POSITIVE_INFINITY;
    for (const { kind, id, at, status } of batch) {
      // A step that results from this batch may be due before the rest of it.
      if (at > followed) break;
      settled.push({ kind, id, status });
      if (kind === 'deposit') {
        await settleDeposit(tx, id, status, at);
        continue;
      }
      const due = status === 'broadcasted' ? completeDue(account, at) : null;
      if (due !== null) followed = Math.min(followed, due.at);
      await setWithdrawalStatus(tx, id, { status, at, due });
    }
  }
}

/** Locks the account's row for the rest of the transaction; payments don't wait for this lock. */
export async function holdAccount(tx: Queries, account: string): Promise<void> {
  await tx.query('select 1 as held from accounts where id = $1 for no key update', [account]);
}
