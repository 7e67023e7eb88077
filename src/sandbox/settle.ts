import type { Queries } from '#src/database/sql.ts';
import type { Account } from './accounts.ts';
import { completeDue, moveWithdrawal } from './withdrawals.ts';
import { settleDeposit } from './deposits.ts';

type DueRow = { kind: 'deposit' | 'withdrawal'; id: string; due_at: string; due_status: string };

/** What fell due, and the status that it then had. */
type FellDue = Pick<DueRow, 'kind' | 'id'> & { status: string };

async function nextDue(tx: Queries, account: string, until: number): Promise<DueRow[]> {
  return tx.query<DueRow>(
    `select kind, id, due_at::text, due_status from (
       select 'deposit' as kind, id, due_at, due_status from deposits where account = $1 and due_at <= $2
       union all
       select 'withdrawal', id, due_at, due_status from withdrawals where account = $1 and due_at <= $2) due
     order by due.due_at, due.id limit 500`,
    [account, until],
  );
}

/**
 * Applies what falls due up to that time of the account, in its order, each at its own time; what follows from it
 * included; answers it in that order. The caller holds the account's row, so that two processes never settle the same account.
 */
export async function settle(tx: Queries, account: Account, until: number): Promise<FellDue[]> {
  const settled: FellDue[] = [];
  for (;;) {
    const batch = await nextDue(tx, account.id, until);
    if (batch.length === 0) return settled;
    let followed = Number.POSITIVE_INFINITY;
    for (const { kind, id, due_at, due_status: status } of batch) {
      const at = Number(due_at);
      // What this batch has brought forth may come before the rest of it.
      if (at > followed) break;
      settled.push({ kind, id, status });
      if (kind === 'deposit') {
        await settleDeposit(tx, id, status, at);
        continue;
      }
      const due = status === 'broadcasted' ? completeDue(account, at) : null;
      if (due !== null) followed = Math.min(followed, due.at);
      await moveWithdrawal(tx, id, { status, at, due });
    }
  }
}

/** Locks the account's row for the rest of the transaction; payments do not wait for it. */
export async function holdAccount(tx: Queries, account: string): Promise<void> {
  await tx.query('select 1 as held from accounts where id = $1 for no key update', [account]);
}
