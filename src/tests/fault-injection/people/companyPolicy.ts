import { SERVICE } from '#src/server/operations/testAnswers.ts';
import { createPolicyRows } from '#src/server/people/policies.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { derivedKey } from '#src/server/people/secrets.ts';
import { NO_RECIPIENT_RULES, type Policy, type PolicyStep, type RecipientRules } from '#src/shared/policy/policy.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import type { Random } from '#src/tests/fault-injection/random.ts';
import { COMPANY_ACCOUNT, type PeopleScene, SECRET } from './peopleScene.ts';
import type { PeopleWorlds } from './peopleWorlds.ts';

/** The amounts that are paid, in BTC: some are above each limit below. */
export const PAYMENT_AMOUNTS = ['0.001', '0.001', '0.002', '0.004', '0.02'] as const;

function byAmount(steps: PolicyStep[], above: number): Policy {
  return { ...NO_APPROVALS, assets: [{ asset: 'btc', steps, above }], other_assets: above };
}

const POLICIES: readonly Policy[] = [
  NO_APPROVALS,
  byAmount([{ approvals: 0, each: '0.003', day: '0.005', count: 3 }], 1),
  { ...NO_APPROVALS, other_assets: 1 },
  { ...NO_APPROVALS, other_assets: 1, expires_hours: 4 },
  byAmount(
    [
      { approvals: 0, each: '0.001', day: '0.001', count: 1 },
      { approvals: 1, each: '0.004', day: '0.005', count: 2 },
    ],
    2,
  ),
  byAmount([{ approvals: 1, each: '0.003', day: '0.004', count: 2 }], 2),
  { ...NO_APPROVALS, other_assets: 2 },
  { ...NO_APPROVALS, other_assets: 1, recipients: { ...NO_RECIPIENT_RULES, first_payment: 2 } },
  { ...NO_APPROVALS, recipients: { ...NO_RECIPIENT_RULES, first_payment: 1 } },
];

const askingAbout = (recipients: Partial<RecipientRules>, more: Partial<Policy> = {}): Policy => ({
  ...NO_APPROVALS,
  ...more,
  recipients: { ...NO_RECIPIENT_RULES, wait_hours: 0, ...recipients },
});

/** A confirmation counts a day later. */
export const WAITING = askingAbout({ unlisted: 1, wait_hours: 24 });
/** A changed recipient takes an approval. */
export const CHANGING = askingAbout({ changed: 1 });
/** Only confirmed recipients are paid. */
export const REFUSING = askingAbout({ unlisted: 'refuse' });

const ABOUT_RECIPIENTS: readonly Policy[] = [
  NO_APPROVALS,
  WAITING,
  askingAbout({ unlisted: 1, wait_hours: 4 }),
  REFUSING,
  askingAbout({ unlisted: 'refuse', wait_hours: 24 }),
  CHANGING,
  askingAbout({ unlisted: 2, changed: 2, wait_hours: 4 }, { other_assets: 1 }),
  askingAbout({ unlisted: 'refuse', changed: 2 }, { other_assets: 1 }),
];

export function somePolicy(random: Random, { recipients }: PeopleWorlds): Policy {
  return random.pick(recipients && random.chance(0.8) ? ABOUT_RECIPIENTS : POLICIES);
}

/** Puts a policy in force at once, whatever the database's clock says. */
export async function insertPolicy({ tables, now }: PeopleScene, number: number, policy: Policy): Promise<void> {
  const seals = createSeals(derivedKey(SECRET, 'seals'));
  await createPolicyRows({ service: SERVICE, seals, wall: () => now }).insertPolicy(tables.database, {
    service: SERVICE,
    account: COMPANY_ACCOUNT,
    number,
    body: JSON.stringify(policy),
    proposed_by: null,
    proposed_at: '0',
    confirmed_by: null,
    counts_from: '0',
    ended_at: null,
    ended_by: null,
  });
}
