import { raiseNothing, type RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Queries } from '#src/server/database/sql.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { whyUnmeetable } from '#src/shared/policy/unmeetable.ts';
import type { Administration } from './administration.ts';
import type { Grants } from './grants.ts';
import type { PolicyRows } from './policies.ts';

interface ApproversParts {
  service: string;
  raise: RaiseNotice;
  grants: Pick<Grants, 'readPerson'>;
  rows: Pick<PolicyRows, 'inForceOrBroken'>;
  administration: Pick<Administration, 'signersOf'>;
}

interface Named {
  person: string;
  name: string;
}

export type Approvers = ReturnType<typeof createApprovers>;

/** Lists the people who can approve payments, and checks that they are enough for the approval rules. */
export function createApprovers({ service, raise, grants, rows, administration }: ApproversParts) {
  const { signersOf } = administration;

  async function unmeetableNow(queries: Queries, account: string, policy: Policy): Promise<string | null> {
    const { approvers, preparing } = await approversAbleToSign(queries, account);
    const names = (people: readonly Named[]) => people.map(({ name }) => name);
    return whyUnmeetable(policy, { approvers: names(approvers), preparing: names(preparing) });
  }

  async function approversAbleToSign(
    queries: Queries,
    account: string,
  ): Promise<{ approvers: Named[]; preparing: Named[] }> {
    const approvers = await namesOf(queries, account, await signersOf(queries, account, 'approve'));
    const makers = await signersOf(queries, account, 'prepare');
    return { approvers, preparing: approvers.filter(({ person }) => makers.includes(person)) };
  }

  async function namesOf(queries: Queries, account: string, ids: readonly string[]): Promise<Named[]> {
    const found = await Promise.all(ids.map((person) => grants.readPerson(queries, { person, account })));
    return found
      .flatMap((one) => (one === null ? [] : { person: one.id, name: one.name }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  }

  /** Whether there are enough approvers for the policy in force. True without a policy, and for a broken one. */
  async function areEnough(tx: Queries, account: string): Promise<boolean> {
    const inForce = await rows.inForceOrBroken(tx, account);
    if (inForce === null || inForce === 'broken') return true;
    return (await unmeetableNow(tx, account, inForce.policy)) === null;
  }

  /** Runs `change`, and notifies the admins if it leaves too few approvers for the policy. */
  async function raiseIfTooFew<T>(tx: Queries, account: string, now: string, change: () => Promise<T>): Promise<T> {
    // Without a notice channel, skip the checks.
    if (raise === raiseNothing || !(await areEnough(tx, account))) return change();
    const result = await change();
    if (!(await areEnough(tx, account)))
      await raise(
        tx,
        { service, account, event: 'policy.unmeetable', subject: '', episode: `since ${now}` },
        Number(now),
      );
    return result;
  }

  return { namesOf, approversAbleToSign, unmeetableNow, raiseIfTooFew };
}
