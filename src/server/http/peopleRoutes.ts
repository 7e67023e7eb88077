import { Hono } from 'hono';
import { isProgramFault } from '#src/server/database/sql.ts';
import { NotPermitted, SessionEnded } from '#src/server/people/actor.ts';
import {
  confirmSchema,
  grantConfirmSchema,
  grantSchema,
  inviteSchema,
  personEmailSchema,
  type WaitingRole,
} from '#src/shared/contract/peopleContract.ts';
import { counted } from '#src/shared/text.ts';
import type { Bindings } from './bindings.ts';
import { refuseStranger } from './guards.ts';
import { log } from './log.ts';
import { serveOwnAccount } from './ownAccountRoutes.ts';
import { serveSigningTickets } from './signingTickets.ts';
import { createPeopleGuards, type PeopleContext } from './peopleGuards.ts';
import type { PeopleParts } from './peopleParts.ts';
import { servePolicy } from './policyRoutes.ts';
import { idOf, peopleRefusal, refuseName, refusePersonNotFound } from './peopleRequests.ts';
import { serveRecipients } from './recipientRoutes.ts';
import { servePersonSignIn } from './personSignIn.ts';
import type { RequestSessions } from './requestSession.ts';

/** The people of an account, and how they sign in: shared/contract/peopleContract.ts. */
export function servePeople(requestSessions: RequestSessions, parts: PeopleParts): Hono<Bindings> {
  const { people } = parts;
  const callers = createPeopleGuards(requestSessions, parts);
  const { withActor, withProof } = callers;
  const app = new Hono<Bindings>();

  app.route('/', servePersonSignIn(requestSessions, parts, callers));
  app.route('/', serveOwnAccount(parts, callers));
  app.route('/', servePolicy(parts, callers));
  app.route('/', serveRecipients(parts, callers));
  app.route('/', serveSigningTickets(requestSessions, parts.itemsOf, callers));
  app.get('/api/people', list);
  app.post('/api/invites', invite);
  app.delete('/api/invites/:id', async (c) =>
    withActor(c, async (actor) => {
      await people.endInvites(actor, idOf(c));
      return c.body(null, 204);
    }),
  );
  app.post('/api/people/:id/confirm', confirm);
  app.post('/api/people/:id/grant', grant);
  app.post('/api/grants/:id/confirm', confirmRole);
  // Stopping a change must always be possible, so it has no quota and needs no passkey.
  app.post('/api/grants/:id/veto', async (c) =>
    withActor(c, async (actor) => ((await people.refuseRole(actor, idOf(c))) ? c.body(null, 204) : refuseNotWaiting())),
  );
  app.post('/api/people/:id/block', async (c) =>
    withActor(c, async (actor) =>
      (await people.block(actor, idOf(c))) === 'not_found' ? refusePersonNotFound() : c.body(null, 204),
    ),
  );
  app.post('/api/people/:id/sign-out', async (c) =>
    withActor(c, async (actor) =>
      (await people.signOutEverywhere(actor, idOf(c))) ? c.body(null, 204) : refusePersonNotFound(),
    ),
  );
  app.post('/api/people/:id/email', setEmail);

  app.onError((error) => {
    if (error instanceof SessionEnded) return refuseStranger();
    if (error instanceof NotPermitted) return peopleRefusal('not_permitted', 403, error.message);
    if (isProgramFault(error)) throw error;
    log('People: the database failed', error);
    return peopleRefusal('not_ready', 503, 'The dashboard can’t reach its database. Try again.');
  });
  return app;

  async function list(c: PeopleContext): Promise<Response> {
    return withActor(c, async (actor) => {
      const { account, person } = actor;
      const listed = await people.list(account, person);
      const untold = listed.flatMap(({ id, waiting }) =>
        waiting.filter((role) => isUntoldTo(person, { id, role })).map((role) => role.id),
      );
      // Home and the page People show these roles to everybody who can refuse them.
      const isNoted = untold.length > 0 && (await people.noteRolesListed(actor, untold));
      return c.json({
        data: isNoted ? await people.list(account, person) : listed,
        addable: await people.listAddable(account, person),
      });
    });
  }

  async function invite(c: PeopleContext): Promise<Response> {
    return withProof(c, inviteSchema, async (actor, { name, permissions, person }) => {
      if (person !== undefined) {
        const made = await people.inviteAgain(actor, person);
        return made === null ? refusePersonNotFound() : sendInvite(c, made);
      }
      if (name === undefined || permissions === undefined)
        return peopleRefusal('invalid_request_error', 400, 'An invite names a person and their permissions.');
      const made = await people.invite(actor, name, permissions);
      return made === null ? refuseName() : sendInvite(c, made);
    });
  }

  async function confirm(c: PeopleContext): Promise<Response> {
    return withProof(c, confirmSchema, async (actor, { code }) => {
      const confirmed = await people.confirm(actor, idOf(c), code);
      if (confirmed === 'confirmed') return c.body(null, 204);
      if (confirmed === 'not_found') return refusePersonNotFound();
      if (confirmed === 'identity_taken')
        return peopleRefusal(
          'identity_taken',
          409,
          'Somebody else now signs in with this identity. Make a new invite.',
        );
      const { triesLeft } = confirmed;
      const left =
        triesLeft > 0 ? `${counted(triesLeft, 'try', 'tries')} left.` : 'The invite has ended: make a new one.';
      return peopleRefusal('wrong_code', 422, `That isn’t the code. ${left}`);
    });
  }

  async function grant(c: PeopleContext): Promise<Response> {
    return withProof(c, grantSchema, async (actor, { permissions }) =>
      (await people.grant(actor, idOf(c), permissions)) ? c.body(null, 204) : refusePersonNotFound(),
    );
  }

  async function confirmRole(c: PeopleContext): Promise<Response> {
    return withProof(c, grantConfirmSchema, async (actor, { person, permission }) => {
      const confirmed = await people.confirmRole(actor, { id: idOf(c), person, permission });
      if (confirmed === 'confirmed') return c.body(null, 204);
      if (confirmed === 'not_waiting') return refuseNotWaiting();
      const why = confirmed === 'own' ? 'You gave this role yourself' : 'Nobody confirms their own role';
      return peopleRefusal('not_permitted', 403, `${why}, so another admin has to confirm it.`);
    });
  }

  async function setEmail(c: PeopleContext): Promise<Response> {
    return withProof(c, personEmailSchema, async (actor, { email }) =>
      (await people.setEmail(actor, idOf(c), email)) === 'not_found' ? refusePersonNotFound() : c.body(null, 204),
    );
  }
}

/** Whether this reader is the first to be told of the waiting role. Whoever gave it, or is to have it, doesn't count. */
function isUntoldTo(reader: string, { id, role }: { id: string; role: WaitingRole }): boolean {
  return role.counts_from !== null && !role.is_told && role.given_by?.person !== reader && id !== reader;
}

function refuseNotWaiting(): Response {
  return peopleRefusal(
    'role_not_waiting',
    409,
    'This role counts already, or was refused or taken back. Nothing was changed.',
  );
}

function sendInvite(
  c: PeopleContext,
  { person, token, expiresAt }: { person: string; token: string; expiresAt: number },
) {
  return c.json({ person, token, expires_at: expiresAt }, 201);
}
