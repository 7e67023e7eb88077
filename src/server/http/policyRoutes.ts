import { Hono } from 'hono';
import { POLICY_PATH, policyConfirmSchema, policyProposalSchema } from '#src/shared/contract/policyContract.ts';
import type { Bindings } from './bindings.ts';
import type { PeopleGuards, PeopleContext } from './peopleGuards.ts';
import type { PeopleParts } from './peopleParts.ts';
import { peopleRefusal } from './peopleRequests.ts';

/** The approval rules of an account: shared/contract/policyContract.ts. */
export function servePolicy(
  { people }: Pick<PeopleParts, 'people'>,
  { withSession, withActor, withProof }: PeopleGuards,
): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.get(POLICY_PATH, async (c) =>
    withSession(c, async ({ session: { account, person } }) => c.json(await people.readPolicy(account, person))),
  );
  app.put(POLICY_PATH, propose);
  app.post(`${POLICY_PATH}/:number/confirm`, confirm);
  // Stopping a change must always be possible, so it has no quota and needs no passkey.
  app.post(`${POLICY_PATH}/:number/veto`, async (c) =>
    withActor(c, async (actor) => {
      if (!(await people.vetoPolicy(actor, numberOf(c)))) return refuseNotPending();
      return c.json(await people.readPolicy(actor.account, actor.person));
    }),
  );
  return app;

  async function propose(c: PeopleContext): Promise<Response> {
    return withProof(c, policyProposalSchema, async (actor, { policy, number }) => {
      const proposed = await people.proposePolicy(actor, policy, number);
      if (proposed === 'changed')
        return peopleRefusal(
          'policy_changed',
          409,
          'Somebody changed the approval rules meanwhile. Look at them again.',
        );
      if (proposed === 'same') return peopleRefusal('policy_same', 409, 'These rules are in force already.');
      if ('unmeetable' in proposed) return peopleRefusal('policy_unmeetable', 422, proposed.unmeetable);
      return c.json(await people.readPolicy(actor.account, actor.person));
    });
  }

  async function confirm(c: PeopleContext): Promise<Response> {
    return withProof(c, policyConfirmSchema, async (actor) => {
      const confirmed = await people.confirmPolicy(actor, numberOf(c));
      if (confirmed === 'not_pending') return refuseNotPending();
      if (confirmed === 'own')
        return peopleRefusal('not_permitted', 403, 'You proposed this yourself, so another admin has to confirm it.');
      if (confirmed !== 'confirmed') return peopleRefusal('policy_unmeetable', 422, confirmed.unmeetable);
      return c.json(await people.readPolicy(actor.account, actor.person));
    });
  }
}

/** The version number in the path; 0, which no version has, if it is invalid. */
function numberOf(c: PeopleContext): number {
  const text = c.req.param('number') ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

function refuseNotPending(): Response {
  return peopleRefusal(
    'policy_not_pending',
    409,
    'This change is in force, or was stopped or replaced. Nothing was changed.',
  );
}
