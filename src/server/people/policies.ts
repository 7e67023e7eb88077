import * as v from 'valibot';
import type { Queries } from '#src/server/database/sql.ts';
import { NO_RECIPIENT_RULES, type Policy, policySchema } from '#src/shared/policy/policy.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { columnsToSeal, insertRow, POLICY_COLUMNS, type PolicyRow } from './peopleRows.ts';
import type { Seals } from './seals.ts';
import { NOW_MS } from './sessionAge.ts';
import { isControlPermission, waitIsOver, WAIT_AFTER_REMOVAL_MS, WAITS_FOR_ADMIN } from './waits.ts';

export interface PolicyInForce {
  number: number;
  policy: Policy;
}

/** A policy in the database whose seal or text is broken: nothing can be sent until an admin sets another one. */
export class PolicyBroken extends Error {
  override name = 'PolicyBroken';
}

const BROKEN =
  'The approval rules in the database aren’t as this server wrote them, so nothing is sent. An admin has to choose them again.';

/** The PolicyBroken that this error is or was caused by; null otherwise. */
export function policyBrokenIn(error: unknown): PolicyBroken | null {
  if (error instanceof PolicyBroken) return error;
  return error instanceof Error && error.cause instanceof PolicyBroken ? error.cause : null;
}

/**
 * SQL: whether a row of people.policies hasn't ended and counts. A confirmed policy, or one that counted at once, stays in
 * force even if a clock is set back, so that the previous policy doesn't return. Only one that waited depends on the clocks.
 */
export function isInForce(wall: number): string {
  return `(ended_at is null and (confirmed_by is not null or counts_from <= proposed_at or ${waitIsOver(wall)}))`;
}

export type PolicyRows = ReturnType<typeof createPolicyRows>;

/** Reads and writes people.policies. */
export function createPolicyRows({ service, seals, wall }: { service: string; seals: Seals; wall: () => number }) {
  const isPolicySealed = (row: PolicyRow) => seals.isSealed(row.seal, ...columnsToSeal.policy(row));

  /**
   * Null if none was ever in force. Throws PolicyBroken rather than fall back to an older, perhaps looser policy. That includes
   * a missing row among the newer ones, and a newer row without a valid seal, even if it says that it has ended or waits.
   */
  async function policyInForce(queries: Queries, account: string): Promise<PolicyInForce | null> {
    const inForce = isInForce(wall());
    const rows = await queries.query<PolicyRow & { is_in_force: boolean }>(
      `select ${POLICY_COLUMNS}, ${inForce} as is_in_force from people.policies
       where service = $1 and account = $2 and number >= coalesce(
         (select max(number) from people.policies where service = $1 and account = $2 and ${inForce}), 1)
       order by number`,
      [service, account],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const isWhole = rows.every((one, at) => isPolicySealed(one) && one.number === row.number + at);
    if (!isWhole || (!row.is_in_force && row.number !== 1)) throw new PolicyBroken(BROKEN);
    if (!row.is_in_force) return null;
    const policy = policyIn(row);
    if (policy === null) throw new PolicyBroken(BROKEN);
    return { number: row.number, policy };
  }

  /** Newest first. */
  async function policiesOf(queries: Queries, account: string, limit: number): Promise<PolicyRow[]> {
    return queries.query<PolicyRow>(
      `select ${POLICY_COLUMNS} from people.policies where service = $1 and account = $2 order by number desc limit $3`,
      [service, account, limit],
    );
  }

  /** The newest policy, if it hasn't ended and doesn't count yet. */
  async function pendingPolicy(queries: Queries, account: string): Promise<PolicyRow | null> {
    const [newest] = await queries.query<PolicyRow & { is_in_force: boolean }>(
      `select ${POLICY_COLUMNS}, ${isInForce(wall())} as is_in_force from people.policies
       where service = $1 and account = $2 order by number desc limit 1`,
      [service, account],
    );
    if (newest === undefined || newest.ended_at !== null || newest.is_in_force) return null;
    return isPolicySealed(newest) ? newest : null;
  }

  /**
   * Whether a policy of any account was ever in force. If its row is gone, the activity log still shows it: the first policy
   * counts at once, so any proposal in the log means that one was in force.
   */
  async function wasPolicyInForce(queries: Queries): Promise<boolean> {
    const [row] = await queries.query(
      `select 1 as one from people.policies where service = $1 and (
         confirmed_by is not null or counts_from <= least(coalesce(ended_at, ${WAITS_FOR_ADMIN}), greatest(proposed_at, ${NOW_MS})))
       limit 1`,
      [service],
    );
    if (row !== undefined) return true;
    const [line] = await queries.query(
      "select 1 as one from activity.lines where service = $1 and kind = 'policy.proposed' limit 1",
      [service],
    );
    return line !== undefined;
  }

  /**
   * After another person took somebody's permissions away: ends the pending policy if they proposed it as an admin, and extends
   * the wait of one that waits for time if they could have stopped it.
   */
  async function delayPolicyAfterRemoval(
    tx: Queries,
    { account, person, by, lost }: { account: string; person: string; by: string; lost: readonly Permission[] },
    now: string,
  ): Promise<void> {
    if (!lost.some(isControlPermission)) return;
    const pending = await pendingPolicy(tx, account);
    if (pending === null) return;
    if (pending.proposed_by === person && lost.includes('admin'))
      return updatePolicy(tx, { ...pending, ended_at: now, ended_by: by });
    if (pending.counts_from === WAITS_FOR_ADMIN) return;
    const later = Math.max(Number(pending.counts_from), Number(now) + WAIT_AFTER_REMOVAL_MS);
    await updatePolicy(tx, { ...pending, counts_from: String(later) });
  }

  async function insertPolicy(tx: Queries, row: Omit<PolicyRow, 'seal'>): Promise<void> {
    await insertRow(tx, 'people.policies', { ...row, seal: seals.sealOf(...columnsToSeal.policy(row)) });
  }

  async function updatePolicy(tx: Queries, row: PolicyRow): Promise<void> {
    await tx.query(
      `update people.policies set confirmed_by = $4, counts_from = $5, ended_at = $6, ended_by = $7, seal = $8
       where service = $1 and account = $2 and number = $3`,
      [
        row.service,
        row.account,
        row.number,
        row.confirmed_by,
        row.counts_from,
        row.ended_at,
        row.ended_by,
        seals.sealOf(...columnsToSeal.policy(row)),
      ],
    );
  }

  /** Like policyInForce(), with 'broken' instead of the error: nothing is sent until an admin sets a policy again. */
  async function inForceOrBroken(queries: Queries, account: string): Promise<PolicyInForce | null | 'broken'> {
    try {
      return await policyInForce(queries, account);
    } catch (error) {
      if (error instanceof PolicyBroken) return 'broken';
      throw error;
    }
  }

  return {
    isPolicySealed,
    policyInForce,
    inForceOrBroken,
    policiesOf,
    pendingPolicy,
    wasPolicyInForce,
    delayPolicyAfterRemoval,
    insertPolicy,
    updatePolicy,
  };
}

/** Parses the row's policy; null if it isn't a valid one. */
export function policyIn({ body }: Pick<PolicyRow, 'body'>): Policy | null {
  const parsed = v.safeParse(policySchema, withRecipientRules(parseJson(body)));
  return parsed.success ? parsed.output : null;
}

/** Fills in the recipient rules, which policies from before recipients could be confirmed don't have. */
function withRecipientRules(policy: unknown): unknown {
  if (!isObject(policy) || !isObject(policy['recipients'])) return policy;
  return { ...policy, recipients: { ...NO_RECIPIENT_RULES, ...policy['recipients'] } };
}
