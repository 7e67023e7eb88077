import type { Queries } from '#src/server/database/sql.ts';
import type { PolicyInForce } from '#src/server/people/policies.ts';
import { approvalNeed, type PaymentToJudge, type Spent } from '#src/shared/policy/approvalNeed.ts';
import { foldedAsset, HOURS_WITHOUT_POLICY } from '#src/shared/policy/policy.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { isAmount } from '#src/shared/amount.ts';
import { sum } from '#src/shared/money.ts';
import type { Clocks } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import type { CurrentNeed, JudgedPayment } from '#src/server/operations/ports.ts';
import { duplicateKeyOfRecord } from '#src/server/operations/rowText.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** How many approvals a payment needs by the policy in force and by what left within 24 hours. */
export async function currentNeed(
  queries: Queries,
  payment: JudgedPayment,
  { now, inForce }: { now: Clocks; inForce: PolicyInForce | null },
): Promise<CurrentNeed> {
  const { asset, amount } = paymentFields(payment);
  const judged = {
    asset,
    amount: (await batchTotal(queries, payment, asset)) ?? amount,
    isFirst: (await unpaid(queries, [payment])) > 0,
  };
  return needBy(inForce, judged, await spentOf(queries, payment, { asset, now }));
}

/** The same for the lines of a batch that isn't recorded yet: it counts as one payment of its total in each asset. */
export async function batchNeed(
  queries: Queries,
  lines: readonly JudgedPayment[],
  { now, inForce }: { now: Clocks; inForce: PolicyInForce | null },
): Promise<CurrentNeed> {
  const needs: CurrentNeed[] = [];
  for (const [, of] of groupBy(lines, (line) => foldedAsset(paymentFields(line).asset))) {
    const [first] = of;
    if (first === undefined) continue;
    const { asset } = paymentFields(first);
    const judged = {
      asset,
      amount: sum(of.map((line) => paymentFields(line).amount)),
      isFirst: (await unpaid(queries, of)) > 0,
    };
    needs.push(needBy(inForce, judged, await spentOf(queries, first, { asset, now })));
  }
  const most = needs.toSorted((a, b) => b.needs - a.needs)[0];
  if (most === undefined) throw new TypeError('A batch has lines.');
  return most;
}

function needBy(inForce: PolicyInForce | null, judged: PaymentToJudge, spent: readonly Spent[]): CurrentNeed {
  const { policy = null, number = null } = inForce ?? {};
  const hours = policy?.expires_hours ?? HOURS_WITHOUT_POLICY;
  return { ...approvalNeed(policy, judged, spent), policy: number, hours };
}

function paymentFields(payment: JudgedPayment): { asset: string; amount: string } {
  const fields = withdrawalFieldsOf(payment);
  if (fields === null || !isAmount(fields.amount)) throw new TypeError('Only withdrawals are approved.');
  return fields;
}

/** The total of its batch in this asset. Null: it is in no batch. */
async function batchTotal(queries: Queries, { batch }: JudgedPayment, asset: string): Promise<string | null> {
  if (batch === undefined) return null;
  const rows = await queries.query<{ amount: string }>(
    'select amount::text as amount from operations.operations where batch = $1 and asset_key = $2',
    [batch.id, foldedAsset(asset)],
  );
  return rows.length === 0 ? null : sum(rows.map(({ amount }) => amount));
}

/** How many of these payments' destinations got no payment from here that was accepted. All are of one account. */
async function unpaid(queries: Queries, payments: readonly JudgedPayment[]): Promise<number> {
  const [first] = payments;
  if (first === undefined) return 0;
  const places = new Set(payments.map(duplicateKeyOfRecord));
  const rows = await queries.query<{ count: string }>(
    `select count(distinct place)::text as count from operations.operations
     where place in (select jsonb_array_elements_text($1::text::jsonb)) and service = $2 and account_id = $3
       and state = 'succeeded'`,
    [JSON.stringify([...places]), first.service, first.account],
  );
  return places.size - Number(rows[0]?.count ?? 0);
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
  return rows.map((row) => ({ needs: row.needs, sum: row.sum, count: Number(row.count) }));
}
