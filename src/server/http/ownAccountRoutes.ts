import { Hono } from 'hono';
import * as v from 'valibot';
import { isCounting } from '#src/server/people/passkeyRows.ts';
import { secondsOf } from '#src/server/people/peopleRows.ts';
import { addPasskeySchema, firstPasskeySchema, ownEmailSchema } from '#src/shared/contract/peopleContract.ts';
import { proofSchema } from '#src/shared/contract/proofContract.ts';
import type { Bindings } from './bindings.ts';
import type { PeopleGuards, PeopleContext } from './peopleGuards.ts';
import type { PeopleParts } from './peopleParts.ts';
import { idOf, parsed, peopleRefusal, refusePersonNotFound } from './peopleRequests.ts';

/** A person’s own passkeys, sessions and e-mail address. */
export function serveOwnAccount(
  { people, oidc, sendsMail }: PeopleParts,
  { withSession, withActor, withQuota, withProof, registered }: PeopleGuards,
): Hono<Bindings> {
  const app = new Hono<Bindings>();

  if (oidc !== null) app.post('/api/passkeys/first', addFirstPasskey);
  app.get('/api/email', async (c) =>
    withSession(c, async ({ session: { person } }) =>
      c.json({ email: await people.emailOf(person ?? ''), is_sent: sendsMail }),
    ),
  );
  app.put('/api/email', setOwnEmail);
  app.get('/api/passkeys', ownPasskeys);
  app.post('/api/passkeys', addPasskey);
  app.delete('/api/passkeys/:id', removePasskey);
  app.get('/api/sessions', ownSessions);
  app.delete('/api/sessions/:id', async (c) =>
    withActor(c, async (actor) =>
      (await people.endSession(actor, idOf(c))) ? c.body(null, 204) : refusePersonNotFound(),
    ),
  );
  return app;

  async function setOwnEmail(c: PeopleContext): Promise<Response> {
    return withQuota(c, async (actor) => {
      const body = await parsed(c, ownEmailSchema);
      if (body instanceof Response) return body;
      const done = await people.setOwnEmail(actor, body.email);
      return done === 'not_found' ? refusePersonNotFound() : c.body(null, 204);
    });
  }

  async function ownPasskeys(c: PeopleContext): Promise<Response> {
    return withSession(c, async ({ session }) => {
      const rows = await people.ownPasskeys(session.person ?? '');
      const data = rows.map(({ id, created_at: created, used_at: used, ...row }) => ({
        id,
        waits_for_code: !isCounting(row),
        created_at: secondsOf(created),
        last_used_at: used === null ? null : secondsOf(used),
      }));
      return c.json({ data });
    });
  }

  async function addPasskey(c: PeopleContext): Promise<Response> {
    return withProof(c, addPasskeySchema, async (actor, body) => {
      const passkey = await registered({ purpose: 'register', binding: actor.session, statement: '' }, body);
      if (passkey instanceof Response) return passkey;
      await people.addPasskey(actor, passkey, actor.passkey);
      return c.body(null, 204);
    });
  }

  async function addFirstPasskey(c: PeopleContext): Promise<Response> {
    return withQuota(c, async (actor) => {
      const body = await parsed(c, firstPasskeySchema);
      if (body instanceof Response) return body;
      const passkey = await registered({ purpose: 'register', binding: actor.session, statement: '' }, body);
      if (passkey instanceof Response) return passkey;
      const added = await people.addFirstPasskey(actor, passkey);
      return added === null
        ? peopleRefusal('has_passkey', 409, 'You have a passkey. Confirm with it to add another one.')
        : c.json(added, 201);
    });
  }

  async function removePasskey(c: PeopleContext): Promise<Response> {
    return withProof(c, v.strictObject({ proof: proofSchema }), async (actor) => {
      const removed = await people.removePasskey(actor, idOf(c));
      if (removed === 'removed') return c.body(null, 204);
      return removed === 'not_found'
        ? peopleRefusal('not_found', 404, 'You have no such passkey.')
        : peopleRefusal('last_passkey', 409, 'This is your last passkey. Add another one first.');
    });
  }

  async function ownSessions(c: PeopleContext): Promise<Response> {
    return withSession(c, async ({ session }) => {
      const rows = await people.ownSessions(session.person ?? '');
      const data = rows.map(({ id, created_at: created, seen_at: seen }) => ({
        id,
        created_at: secondsOf(created),
        seen_at: secondsOf(seen),
        current: id === session.id,
      }));
      return c.json({ data });
    });
  }
}
