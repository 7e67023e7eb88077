import { amountField, decimalsOf, stringField, type JsonObject } from './body.ts';
import { feeOf } from './assets.ts';
import type { Account } from './accounts.ts';
import { checkPair } from './checkPair.ts';
import { newId } from './ids.ts';
import type { Kill } from './kill.ts';
import { post } from './ledger.ts';
import { insufficientFunds, invalid } from './refusal.ts';
import { json, type Reply } from './reply.ts';
import { broadcastDue } from './schedule.ts';
import type { Queries } from '#src/database/sql.ts';
import { WITHDRAWAL_COLUMNS, withdrawalOf, type WithdrawalRow } from './withdrawals.ts';

type Books = { available: string; decimals: number; enough: boolean; above_fee: boolean };

/**
 * POST /v1/withdrawals: checked against the ledger, under the lock of its balance, in the caller's transaction. The
 * fee comes out of the amount.
 */
export async function createWithdrawal(
  tx: Queries,
  account: Account,
  now: number,
  body: JsonObject,
  kill: Kill,
): Promise<Reply> {
  const asset = stringField(body, 'asset', 64);
  const chain = stringField(body, 'chain', 64);
  const amount = amountField(body, 'amount');
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
  await post(tx, {
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
     returning ${WITHDRAWAL_COLUMNS}`,
    [id, account.id, asset, chain, amount, fee, books.decimals, address, now, due.at, due.status],
  );
  return json(201, rows.map(withdrawalOf)[0]);
}
