import type { Queries } from '#src/server/database/sql.ts';
import type { PolicyInForce } from '#src/server/people/policies.ts';
import { type PaidRecipient, type RecipientStatus, NO_DECISION } from '#src/server/people/recipients.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import {
  type ApprovalNeed,
  approvalNeed,
  isRefused,
  type PaymentToJudge,
  type Spent,
} from '#src/shared/policy/approvalNeed.ts';
import { foldedAsset, HOURS_WITHOUT_POLICY, type Policy } from '#src/shared/policy/policy.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { isAmount } from '#src/shared/amount.ts';
import { sum } from '#src/shared/money.ts';
import type { Clocks } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import type { CurrentNeed, JudgedPayment } from '#src/server/operations/ports.ts';
import { duplicateKeyOfRecord } from '#src/server/operations/rowText.ts';

export interface NeedInput {
  now: Clocks;
  inForce: PolicyInForce | null;
  /** Reads what was decided about these recipients. */
  listingsOf: (recipients: readonly PaidRecipient[]) => Promise<ReadonlyMap<string, RecipientStatus>>;
}

/** Approvals given before the last send, at most as many as needed: an unconfirmed payment may have got more since. */
const APPROVALS_HAD = `least(coalesce(needs, 0), (select count(distinct s.person)
  from people.signed s join people.signatures g on g.id = s.signature
  where s.subject = operations.key and s.decision = 'approve' and s.person <> operations.maker
    and g.at <= operations.last_database))::integer`;

const DAY_SECONDS = 24 * 60 * 60;

/** Approvals that a payment needs by the policy in force and the sums of the last 24 hours; for a line, those of its batch. */
export async function currentNeed(queries: Queries, payment: JudgedPayment, input: NeedInput): Promise<CurrentNeed> {
  const { batch } = payment;
  return batchNeed(queries, batch === undefined ? [payment] : await linesOf(queries, payment, batch.id), input);
}

/** The same for all lines of a batch, recorded or not: it counts as one payment of its total in each asset. */
export async function batchNeed(
  queries: Queries,
  lines: readonly JudgedPayment[],
  { now, inForce, listingsOf }: NeedInput,
): Promise<CurrentNeed> {
  const { policy = null, number = null } = inForce ?? {};
  const destinations = await destinationsOf(queries, lines, { now, listingsOf });
  const needs: ApprovalNeed[] = [];
  for (const [, group] of groupBy(lines, (line) => foldedAsset(paymentFields(line).asset))) {
    const [first] = group;
    if (first === undefined) continue;
    const { asset } = paymentFields(first);
    const to = group.flatMap(({ key }) => destinations.get(key) ?? []);
    const judged: PaymentToJudge = {
      asset,
      amount: sum(group.map((line) => paymentFields(line).amount)),
      isFirst: to.some(({ isFirst }) => isFirst),
      isUnlisted: to.some(({ isUnlisted }) => isUnlisted),
      isChanged: to.some(({ isChanged }) => isChanged),
    };
    needs.push(approvalNeed(policy, judged, await spentOf(queries, first, { asset, now })));
  }
  const most = needs.toSorted((a, b) => b.needs - a.needs)[0];
  if (most === undefined) throw new TypeError('A batch has lines.');
  return {
    ...most,
    policy: number,
    hours: policy?.expires_hours ?? HOURS_WITHOUT_POLICY,
    unsendable: [...destinations].flatMap(([key, to]) => {
      const why = whyRecipientUnsendable(policy, to);
      return why === null ? [] : { key, why };
    }),
    keysWithChangedRecipient: [...destinations].flatMap(([key, { isChanged }]) => (isChanged ? key : [])),
  };
}

/** Why this payment can't be sent to its recipient; null if it can, or in key mode. */
export function whyUnsendable(need: CurrentNeed | null, key: string): string | null {
  return need?.unsendable.find((one) => one.key === key)?.why ?? null;
}

function whyRecipientUnsendable(policy: Policy | null, { blockedBecause, isUnlisted }: Destination): string | null {
  if (blockedBecause !== null) return `This recipient is blocked: “${blockedBecause}”`;
  return isRefused(policy, { isUnlisted })
    ? 'Payments go only to confirmed recipients, and this one isn’t confirmed, or not for long enough.'
    : null;
}

type Destination = Pick<PaymentToJudge, 'isFirst' | 'isUnlisted' | 'isChanged'> &
  Pick<RecipientStatus, 'blockedBecause'>;

/** First payment, confirmed, changed or blocked: the destination of each payment, by the payment's key. */
async function destinationsOf(
  queries: Queries,
  payments: readonly JudgedPayment[],
  { now, listingsOf }: Pick<NeedInput, 'now' | 'listingsOf'>,
): Promise<ReadonlyMap<string, Destination>> {
  const paidAt = await lastPaid(queries, payments);
  const addressOf = (payment: JudgedPayment) => addressKey(paymentFields(payment));
  const listings = await listingsOf(
    payments.map((payment) => ({ id: addressOf(payment), name: payment.batch?.recipient ?? null })),
  );
  // The earliest clock decides: a confirmation counts only once its waiting time is over by all three.
  const earliest = Math.min(now.service * 1_000, now.server, now.database);
  return new Map(
    payments.map((payment) => {
      const paid = paidAt.get(duplicateKeyOfRecord(payment));
      const { blockedBecause, confirmedFrom, changedAt } = listings.get(addressOf(payment)) ?? NO_DECISION;
      return [
        payment.key,
        {
          isFirst: paid === undefined,
          isUnlisted: confirmedFrom === null || confirmedFrom > earliest,
          isChanged: changedAt !== null && (paid ?? 0) <= changedAt,
          blockedBecause,
        },
      ];
    }),
  );
}

function paymentFields(payment: JudgedPayment) {
  const fields = withdrawalFieldsOf(payment);
  if (fields === null || !isAmount(fields.amount)) throw new TypeError('Only withdrawals are approved.');
  return fields;
}

async function linesOf(queries: Queries, { service, account }: JudgedPayment, id: string): Promise<JudgedPayment[]> {
  const rows = await queries.query<{ key: string; path: string; body: string; line: number; recipient: string | null }>(
    'select key, path, body, line, recipient from operations.operations where batch = $1 order by line',
    [id],
  );
  return rows.map(({ line, recipient, ...payment }) => ({
    ...payment,
    service,
    account,
    kind: 'withdrawal',
    batch: { id, line, reference: null, recipient },
  }));
}

/** When each destination was last sent an accepted payment, by duplicate key. Database clock, ms. */
async function lastPaid(queries: Queries, payments: readonly JudgedPayment[]): Promise<ReadonlyMap<string, number>> {
  const [first] = payments;
  if (first === undefined) return new Map();
  const places = new Set(payments.map(duplicateKeyOfRecord));
  const rows = await queries.query<{ place: string; at: string }>(
    `select place, max(last_database)::text as at from operations.operations
     where place in (select jsonb_array_elements_text($1::text::jsonb)) and service = $2 and account_id = $3
       and state = 'succeeded' group by place`,
    [JSON.stringify([...places]), first.service, first.account],
  );
  return new Map(rows.map(({ place, at }) => [place, Number(at)]));
}

const isAfter = (send: 'first' | 'last'): string =>
  `greatest(${send}_database, ${send}_server, ${send}_service * 1000) > $9::bigint
   and (${send}_service > $4 or ${send}_server > $5 or ${send}_database > $6)`;

/**
 * Sums of other payments that may have been executed, and whose first or last send was within 24 hours by any clock. The
 * clocks of the last send can be changed in the database, those of the first can't. Excludes its own batch.
 */
async function spentOf(
  queries: Queries,
  { service, account, key, batch }: JudgedPayment,
  { asset, now }: { asset: string; now: Clocks },
): Promise<Spent[]> {
  const since = [now.service - DAY_SECONDS, now.server - DAY_SECONDS * 1_000, now.database - DAY_SECONDS * 1_000].map(
    Math.floor,
  );
  // Redundant, but lets the query use the two indexes.
  const earliest = Math.floor(Math.min(now.service * 1_000, now.server, now.database)) - DAY_SECONDS * 1_000;
  const rows = await queries.query<{ needs: number; sum: string; count: string }>(
    `select ${APPROVALS_HAD} as needs, sum(amount)::text as sum, count(distinct coalesce(batch, key))::text as count
     from operations.operations
     where service = $1 and account_id = $2 and asset_key = $3
       and state not in ('ready', 'awaiting') and not (state in ('refused', 'not-sent') and result is null)
       and (${isAfter('first')} or ${isAfter('last')})
       and key <> $7 and batch is distinct from $8
     group by 1`,
    [service, account, foldedAsset(asset), ...since, key, batch?.id ?? '', earliest],
  );
  return rows.map((row) => ({ needs: row.needs, sum: row.sum, count: Number(row.count) }));
}
