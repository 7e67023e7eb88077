import type { Queries } from '#src/server/database/sql.ts';
import type { PolicyInForce } from '#src/server/people/policies.ts';
import { type ApprovalNeed, approvalNeed, type Spent } from '#src/shared/policy/approvalNeed.ts';
import { foldedAsset, HOURS_WITHOUT_POLICY } from '#src/shared/policy/policy.ts';
import { isAmount } from '#src/shared/amount.ts';
import { sum } from '#src/shared/money.ts';
import type { Clocks, OperationRecord } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { duplicateKeyOfRecord } from '#src/server/operations/rowText.ts';

/** A payment that is recorded or is about to be. */
export type JudgedPayment = Pick<OperationRecord, 'service' | 'account' | 'kind' | 'path' | 'body' | 'key' | 'batch'>;

export interface CurrentNeed extends ApprovalNeed {
  /** The number of the policy in force; null: none is. */
  policy: number | null;
  /** How long a payment recorded now waits for its approvals. */
  hours: number;
}

const DAY_SECONDS = 24 * 60 * 60;

/**
 * How many approvals a payment needs by the policy in force and what left within 24 hours. `amount`: of a batch that isn't
 * recorded yet, its total in this asset. Throws PolicyBroken.
 */
export async function currentNeed(
  queries: Queries,
  payment: JudgedPayment,
  { now, inForce, amount }: { now: Clocks; inForce: PolicyInForce | null; amount?: string | undefined },
): Promise<CurrentNeed> {
  const fields = withdrawalFieldsOf(payment);
  if (fields === null || !isAmount(fields.amount)) throw new TypeError('Only withdrawals are approved.');
  const { asset } = fields;
  const { policy = null, number = null } = inForce ?? {};
  const judged = {
    asset,
    amount: amount ?? (await batchTotal(queries, payment, asset)) ?? fields.amount,
    isFirst: !(await wasPaid(queries, payment)),
  };
  const need = approvalNeed(policy, judged, await spentOf(queries, payment, { asset, now }));
  return { ...need, policy: number, hours: policy?.expires_hours ?? HOURS_WITHOUT_POLICY };
}

/** A batch counts as one payment of its total. Null: it is in no batch. */
async function batchTotal(queries: Queries, { batch }: JudgedPayment, asset: string): Promise<string | null> {
  if (batch === undefined) return null;
  const rows = await queries.query<{ amount: string }>(
    'select amount::text as amount from operations.operations where batch = $1 and asset_key = $2',
    [batch.id, foldedAsset(asset)],
  );
  return rows.length === 0 ? null : sum(rows.map(({ amount }) => amount));
}

/** Whether a payment from here to the same destination was accepted. */
async function wasPaid(queries: Queries, payment: JudgedPayment): Promise<boolean> {
  const rows = await queries.query(
    `select 1 as one from operations.operations
     where place = $1 and service = $2 and account_id = $3 and state = 'succeeded' limit 1`,
    [duplicateKeyOfRecord(payment), payment.service, payment.account],
  );
  return rows.length > 0;
}

/** By any of the clocks within 24 hours, without this payment and its batch. */
async function spentOf(
  queries: Queries,
  { service, account, key, batch }: JudgedPayment,
  { asset, now }: { asset: string; now: Clocks },
): Promise<Spent[]> {
  const since = [now.service - DAY_SECONDS, now.server - DAY_SECONDS * 1_000, now.database - DAY_SECONDS * 1_000].map(
    Math.floor,
  );
  const rows = await queries.query<{ needs: number; sum: string; count: string }>(
    `select coalesce(needs, 0) as needs, sum(amount)::text as sum, count(distinct coalesce(batch, key))::text as count
     from operations.operations
     where service = $1 and account_id = $2 and asset_key = $3
       and state not in ('ready', 'awaiting', 'refused', 'not-sent')
       and (first_service > $4 or first_server > $5 or first_database > $6)
       and key <> $7 and batch is distinct from $8
     group by coalesce(needs, 0)`,
    [service, account, foldedAsset(asset), ...since, key, batch?.id ?? ''],
  );
  return rows.map((row) => ({ needs: Number(row.needs), sum: row.sum, count: Number(row.count) }));
}
