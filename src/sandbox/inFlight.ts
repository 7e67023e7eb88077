import type { Deposit, Withdrawal } from '#src/api/contract.ts';

import { depositOf, type DepositRow, DEPOSIT_COLUMNS } from './deposits.ts';
import type { Queries, Row } from '#src/database/sql.ts';
import { withdrawalOf, type WithdrawalRow, WITHDRAWAL_COLUMNS } from './withdrawals.ts';

const MOST = 100;

/** What of the account has neither completed nor failed, newest first, at most 100 of each. */
export async function inFlight(
  q: Queries,
  account: string,
): Promise<{ deposits: Deposit[]; withdrawals: Withdrawal[] }> {
  const rows = <R extends Row>(table: 'deposits' | 'withdrawals', columns: string) =>
    q.query<R>(
      `select ${columns} from ${table} where account = $1 and status not in ('completed', 'failed')
       order by ${table}.created_at desc, seq desc limit ${MOST}`,
      [account],
    );
  const deposits = await rows<DepositRow>('deposits', DEPOSIT_COLUMNS);
  const withdrawals = await rows<WithdrawalRow>('withdrawals', WITHDRAWAL_COLUMNS);
  return { deposits: deposits.map(depositOf), withdrawals: withdrawals.map(withdrawalOf) };
}
