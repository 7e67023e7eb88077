import * as v from 'valibot';
import type { Queries } from '#src/server/database/sql.ts';
import { type Policy, policySchema } from '#src/shared/policy/policy.ts';
import { parseJson } from '#src/shared/answers.ts';
import { columnsToSeal, insertRow, POLICY_COLUMNS, type PolicyRow } from './peopleRows.ts';
import type { Seals } from './seals.ts';
import { NOW } from './sessionAge.ts';

export interface PolicyInForce {
  number: number;
  policy: Policy;
}

/** A policy in the database whose seal or text is broken: nothing can be sent until an admin sets another one. */
export class PolicyBroken extends Error {
  override name = 'PolicyBroken';
}

export type PolicyRows = ReturnType<typeof createPolicyRows>;

/** Reads and writes people.policies. */
export function createPolicyRows({ service, seals }: { service: string; seals: Seals }) {
  const isPolicySealed = (row: PolicyRow) => seals.isSealed(row.seal, ...columnsToSeal.policy(row));

  /** Null: none was ever in force. Throws PolicyBroken rather than go back to an older, perhaps looser one. */
  async function policyInForce(queries: Queries, account: string): Promise<PolicyInForce | null> {
    const [row] = await queries.query<PolicyRow>(
      `select ${POLICY_COLUMNS} from people.policies
       where service = $1 and account = $2 and ended_at is null and counts_from <= ${NOW} order by number desc limit 1`,
      [service, account],
    );
    if (row === undefined) return null;
    const policy = isPolicySealed(row) ? v.safeParse(policySchema, parseJson(row.body)) : null;
    if (!policy?.success) throw new PolicyBroken('The policy in the database was not written by this server.');
    return { number: row.number, policy: policy.output };
  }

  async function insertPolicy(tx: Queries, row: Omit<PolicyRow, 'seal'>): Promise<void> {
    await insertRow(tx, 'people.policies', { ...row, seal: seals.sealOf(...columnsToSeal.policy(row)) });
  }

  return { isPolicySealed, policyInForce, insertPolicy };
}
