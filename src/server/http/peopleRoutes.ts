import { randomBytes } from 'node:crypto';
import { Hono, type Context } from 'hono';
import * as v from 'valibot';
import { createWriteQuota, WRITES_A_MINUTE } from '#src/server/operations/writeQuota.ts';
import { NotPermitted, SessionEnded } from '#src/server/people/actor.ts';
import type { DemoPeople } from '#src/server/people/demoPeople.ts';
import { isCounting, type People, type PersonActor } from '#src/server/people/people.ts';
import { secondsOf } from '#src/server/people/peopleRows.ts';
import {
  checkAssertion,
  checkRegistration,
  creationOptions,
  type PasskeyFault,
  requestOptions,
} from '#src/server/people/passkeys.ts';
import type { ServerAccounts } from '#src/server/people/serverAccounts.ts';
import type { TicketOf, Tickets } from '#src/server/people/tickets.ts';
import { DEMO_SIGN_IN_PATH, SWITCH_ACCOUNT_PATH } from '#src/shared/serverPaths.ts';
import {
  actStatement,
  demoSignInSchema,
  addPasskeySchema,
  confirmSchema,
  firstPasskeySchema,
  grantSchema,
  inviteSchema,
  joinSchema,
  passkeySignInSchema,
  proofSchema,
  switchAccountSchema,
  type Ticket,
  ticketRequestSchema,
} from '#src/shared/contract/peopleContract.ts';
import { admit } from './apiRoutes.ts';
import type { Bindings } from './bindings.ts';
import { machineClock } from './clock.ts';
import { isByPerson, log, refuseStranger } from './guards.ts';
import { type OidcParts, serveOidc } from './oidcRoutes.ts';
import { INVITE_FAULTS, parsed, refusal } from './peopleRequests.ts';
import { createPersonSessions } from './personSessions.ts';
import { createRefusalLog } from './refusalLog.ts';
import type { RequestSession, RequestSessions } from './requestSession.ts';

export interface PeopleParts {
  people: People;
  tickets: Tickets;
  accounts: ServerAccounts;
  /** Null: people sign in with passkeys. */
  oidc: OidcParts | null;
  /** Those who sign in by one press; null outside the sandbox. */
  demo: DemoPeople | null;
  origin: string;
  readOnly: boolean;
}

type PeopleContext = Context<Bindings>;

/** Sign-in of people by passkey or at an identity provider, and the people of the account: shared/contract/peopleContract.ts. */
export function servePeople(requestSessions: RequestSessions, parts: PeopleParts): Hono<Bindings> {
  const { people, tickets, accounts, oidc, demo, origin, readOnly } = parts;
  const rpId = new URL(origin).hostname;
  const { cookies, sessions } = requestSessions;
  const isWithinQuota = createWriteQuota();
  const noteRefusal = createRefusalLog((count) => `${count} passkeys were refused in the last minute.`);
  const personSessions = createPersonSessions(requestSessions, parts);
  const app = new Hono<Bindings>();

  app.post('/session/ticket', issueTicket);
  app.post(SWITCH_ACCOUNT_PATH, switchAccount);
  if (demo) app.post(DEMO_SIGN_IN_PATH, (c) => signInToDemo(c, demo));
  if (oidc === null) {
    app.post('/session/passkey', signIn);
    app.post('/api/join', join);
  } else {
    app.route('/', serveOidc(requestSessions, { oidc, people, accounts, personSessions, origin, readOnly }));
    app.post('/api/passkeys/first', addFirstPasskey);
  }
  app.get('/api/people', async (c) =>
    withSession(c, async ({ session: { account, person } }) =>
      c.json({
        data: await people.list(account, person),
        addable: person === null ? [] : await people.listAddable(account, person),
      }),
    ),
  );
  app.post('/api/invites', invite);
  app.delete('/api/invites/:id', async (c) =>
    withActor(c, async (actor) => {
      await people.endInvites(actor, idOf(c));
      return c.body(null, 204);
    }),
  );
  app.post('/api/people/:id/confirm', confirm);
  app.post('/api/people/:id/grant', grant);
  app.post('/api/people/:id/block', async (c) =>
    withActor(c, async (actor) => ((await people.block(actor, idOf(c))) ? c.body(null, 204) : refuseNobody())),
  );
  app.post('/api/people/:id/sign-out', async (c) =>
    withActor(c, async (actor) => {
      await people.signOutEverywhere(actor, idOf(c));
      return c.body(null, 204);
    }),
  );
  app.get('/api/passkeys', ownPasskeys);
  app.post('/api/passkeys', addPasskey);
  app.delete('/api/passkeys/:id', removePasskey);
  app.get('/api/sessions', ownSessions);
  app.delete('/api/sessions/:id', async (c) =>
    withActor(c, async (actor) => ((await people.endSession(actor, idOf(c))) ? c.body(null, 204) : refuseNobody())),
  );

  app.onError((error) => {
    if (error instanceof SessionEnded) return refuseStranger();
    if (error instanceof NotPermitted) return refusal('not_permitted', 403, error.message);
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) throw error;
    log('No people', error);
    return refusal('not_ready', 503, 'The dashboard can’t reach its database. Try again.');
  });
  return app;

  async function issueTicket(c: PeopleContext): Promise<Response> {
    const request = await parsed(c, ticketRequestSchema);
    if (request instanceof Response) return request;
    if (request.purpose === 'sign-in') {
      if (oidc !== null) return refusal('not_permitted', 403, `Here people sign in with ${oidc.provider.host}.`);
      const of = { purpose: 'sign-in', binding: preSessionOf(c), statement: '' } as const;
      return c.json(await ticketFor(of, (challenge) => requestOptions({ challenge, rpId })));
    }
    if (request.purpose === 'join') {
      const invited = await people.findInvite(request.token);
      if (typeof invited === 'string') return refusal(invited, 404, INVITE_FAULTS[invited]);
      const { person, name, invitedBy, permissions, expiresAt, passkeys } = invited;
      const of = { purpose: 'join', binding: preSessionOf(c), statement: request.token } as const;
      const signedIn = await requestSessions.recognise(c.req.header('cookie'), false);
      const ticket = await ticketFor(of, (challenge) =>
        creationOptions({
          challenge,
          rpId,
          userId: person,
          userName: name ?? request.name ?? 'Countinghouse',
          exclude: passkeys,
        }),
      );
      return c.json({
        ...ticket,
        invite: {
          name,
          invited_by: invitedBy,
          permissions,
          expires_at: expiresAt,
          signed_in: signedIn === null || signedIn.session.person === person ? null : signedIn.session.name,
        },
      } satisfies Ticket);
    }
    const found = await requestSessions.recognise(c.req.header('cookie'), isByPerson(c));
    const person = found?.session.person ?? null;
    if (found === null || person === null) return refuseStranger();
    const own = await people.ownPasskeys(person);
    const ids = own.map(({ id }) => id);
    const binding = found.session.id;
    if (request.purpose === 'register') {
      const userName = found.session.name ?? '';
      return c.json(
        await ticketFor({ purpose: 'register', binding, statement: '' }, (challenge) =>
          creationOptions({ challenge, rpId, userId: person, userName, exclude: ids }),
        ),
      );
    }
    const of = { purpose: 'act', binding, statement: request.statement } as const;
    if (isOfDemo(person)) return c.json({ ticket: tickets.issue(of), options: null } satisfies Ticket);
    if (!own.some(isCounting))
      return refusal('passkey_needed', 403, 'You confirm this with a passkey. Add one on Your account first.');
    return c.json(await ticketFor(of, (challenge) => requestOptions({ challenge, rpId, allow: ids })));
  }

  /** Their acts are confirmed by a ticket alone: they have no passkey. */
  function isOfDemo(person: string): boolean {
    return demo?.has(person) ?? false;
  }

  async function signInToDemo(c: PeopleContext, { list }: DemoPeople): Promise<Response> {
    const body = await parsed(c, demoSignInSchema);
    if (body instanceof Response) return body;
    const chosen = list.find(({ id }) => id === body.person);
    const granted = chosen ? await personSessions.accountOf(chosen.id) : null;
    if (granted === null) return refusal('not_permitted', 403, 'There is no such person in this demo.');
    return sendSession(c, await personSessions.start(c, granted));
  }

  async function ticketFor(
    of: TicketOf,
    optionsOf: (challenge: Uint8Array<ArrayBuffer>) => Promise<Record<string, unknown>>,
  ): Promise<Ticket> {
    const ticket = tickets.issue(of);
    const challenge = tickets.challenge(ticket, of);
    if (challenge === null) throw new TypeError('A ticket was not valid when it was made.');
    return { ticket, options: await optionsOf(challenge) };
  }

  async function signIn(c: PeopleContext): Promise<Response> {
    const body = await parsed(c, passkeySignInSchema);
    if (body instanceof Response) return body;
    const id = String(body.response['id']);
    const challenge = tickets.challenge(body.ticket, {
      purpose: 'sign-in',
      binding: cookies.preSession(c.req.header('cookie')) ?? '',
      statement: '',
    });
    if (challenge === null) return refusePasskey('This sign-in took longer than five minutes. Try again.');
    const passkey = await people.findPasskey(id, rpId);
    if (passkey === null) {
      if (await people.isWaitingForCode(id))
        return refusal('not_confirmed', 403, 'An admin has to type your code first. Then sign in.');
      return refusePasskey(
        'This passkey isn’t known here, or has ended. Use another one, or ask an admin for an invite.',
      );
    }
    const checked = await checkSignature(body.response, challenge, { id, publicKey: passkey.publicKey });
    if ('fault' in checked) return refusePasskey(checked.fault);
    const granted = await personSessions.accountOf(passkey.person);
    if (granted === null) return refusal('not_permitted', 403, 'You have no permission here any more. Ask an admin.');
    await people.noteUse(id);
    const token = await personSessions.start(c, granted);
    // If the passkey or the permissions ended while the session began, the session wasn't ended with them.
    const now = await people.findPerson(granted.account.account, passkey.person);
    const isGood = (await people.findPasskey(id, rpId)) !== null && now !== null && now.permissions.length > 0;
    if (!isGood) {
      await sessions.end(token, 'passkey-lost');
      return refusePasskey('This passkey has ended meanwhile.');
    }
    return sendSession(c, token);
  }

  async function join(c: PeopleContext): Promise<Response> {
    if (readOnly) return refusal('read_only', 403, 'This dashboard is read-only.');
    const body = await parsed(c, joinSchema);
    if (body instanceof Response) return body;
    const { token, ticket, response, name = '' } = body;
    const challenge = tickets.challenge(ticket, {
      purpose: 'join',
      binding: cookies.preSession(c.req.header('cookie')) ?? '',
      statement: token,
    });
    if (challenge === null) return refusePasskey('This took longer than five minutes. Try again.');
    const passkey = await checkRegistration({ response, challenge, origin, rpId });
    if ('fault' in passkey) return refusePasskey(passkey.fault);
    const invited = await people.findInvite(token);
    if (typeof invited === 'string') return refusal(invited, 404, INVITE_FAULTS[invited]);
    if (invited.name === null && name === '') return refusal('invalid_request_error', 400, 'Enter your name.');
    const account = accounts.find(invited.account);
    if (account === null) return refusal('invite_unknown', 404, INVITE_FAULTS.invite_unknown);
    const joined = await people.join(invited.account, { token, passkey, rpId, name });
    if (joined === 'name_taken') return refuseName();
    if (typeof joined === 'string') return refusal(joined, 404, INVITE_FAULTS[joined]);
    if (joined.code !== null) return c.json({ code: joined.code }, 201);
    await personSessions.start(c, { account, person: joined.person, name: joined.name });
    return c.json({ code: null }, 201);
  }

  /** The session goes on with another account, under a new token. */
  async function switchAccount(c: PeopleContext): Promise<Response> {
    return withSession(c, async ({ session, token, cookieName }) => {
      const body = await parsed(c, switchAccountSchema);
      if (body instanceof Response) return body;
      if (body.account === session.account) return c.json(requestSessions.view(session));
      const account = accounts.find(body.account);
      const switched = account === null ? 'not-permitted' : await sessions.switchAccount(token, session, account);
      if (switched === 'ended') return refuseStranger();
      if (switched === 'not-permitted')
        return refusal('not_permitted', 403, 'You have no role on that account. Ask one of its admins.');
      c.header('Set-Cookie', cookies.set(cookieName, switched.token), { append: true });
      return sendSession(c, switched.token);
    });
  }

  async function sendSession(c: PeopleContext, token: string): Promise<Response> {
    const session = await sessions.open(token);
    return session ? c.json(requestSessions.view(session), 201) : refuseStranger();
  }

  async function invite(c: PeopleContext): Promise<Response> {
    return withProof(c, inviteSchema, async (actor, { name, permissions, person }) => {
      if (person !== undefined) {
        const made = await people.inviteAgain(actor, person);
        return made === null ? refuseNobody() : sendInvite(c, made);
      }
      if (name === undefined || permissions === undefined)
        return refusal('invalid_request_error', 400, 'An invite names a person and their permissions.');
      const made = await people.invite(actor, name, permissions);
      return made === null ? refuseName() : sendInvite(c, made);
    });
  }

  async function confirm(c: PeopleContext): Promise<Response> {
    return withProof(c, confirmSchema, async (actor, { code }) => {
      const confirmed = await people.confirm(actor, idOf(c), code);
      if (confirmed === 'confirmed') return c.body(null, 204);
      if (confirmed === 'not_found') return refuseNobody();
      const { triesLeft } = confirmed;
      const left = triesLeft > 0 ? `${triesLeft} tries left.` : 'The invite has ended: make a new one.';
      return refusal('wrong_code', 422, `That isn’t the code. ${left}`);
    });
  }

  async function grant(c: PeopleContext): Promise<Response> {
    return withProof(c, grantSchema, async (actor, { permissions }) =>
      (await people.grant(actor, idOf(c), permissions)) ? c.body(null, 204) : refuseNobody(),
    );
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
    return withProof(c, addPasskeySchema, async (actor, { ticket, response }) => {
      const challenge = tickets.challenge(ticket, { purpose: 'register', binding: actor.session, statement: '' });
      if (challenge === null) return refusePasskey('This took longer than five minutes. Try again.');
      const passkey = await checkRegistration({ response, challenge, origin, rpId });
      if ('fault' in passkey) return refusePasskey(passkey.fault);
      await people.addPasskey(actor, passkey, rpId, actor.passkey);
      return c.body(null, 204);
    });
  }

  async function addFirstPasskey(c: PeopleContext): Promise<Response> {
    return withQuota(c, async (actor) => {
      const body = await parsed(c, firstPasskeySchema);
      if (body instanceof Response) return body;
      const { ticket, response } = body;
      const challenge = tickets.challenge(ticket, { purpose: 'register', binding: actor.session, statement: '' });
      if (challenge === null) return refusePasskey('This took longer than five minutes. Try again.');
      const passkey = await checkRegistration({ response, challenge, origin, rpId });
      if ('fault' in passkey) return refusePasskey(passkey.fault);
      const added = await people.addFirstPasskey(actor, passkey, rpId);
      return added === null
        ? refusal('has_passkey', 409, 'You have a passkey. Confirm with it to add another one.')
        : c.json(added, 201);
    });
  }

  async function removePasskey(c: PeopleContext): Promise<Response> {
    return withProof(c, v.strictObject({ proof: proofSchema }), async (actor) =>
      (await people.removePasskey(actor, idOf(c)))
        ? c.body(null, 204)
        : refusal('last_passkey', 409, 'This is your last passkey. Add another one first.'),
    );
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

  async function withSession(
    c: PeopleContext,
    handle: (found: RequestSession) => Promise<Response>,
  ): Promise<Response> {
    const found = await admit(requestSessions, c);
    return found instanceof Response ? found : handle(found);
  }

  /** For what changes something. */
  async function withActor(c: PeopleContext, handle: (actor: PersonActor) => Promise<Response>): Promise<Response> {
    return withSession(c, async ({ session, rights }) => {
      const { id, account: own, name: who, person } = session;
      if (person === null) return refuseStranger();
      return handle({ account: own, session: id, person, who, rights, passkey: null });
    });
  }

  /** For what gives access. Blocking and signing out are never too many. */
  async function withQuota(c: PeopleContext, handle: (actor: PersonActor) => Promise<Response>): Promise<Response> {
    return withActor(c, async (actor) =>
      isWithinQuota(actor.person, machineClock.mono())
        ? handle(actor)
        : refusal('too_many', 429, `More than ${WRITES_A_MINUTE} changes a minute. Nothing was changed.`),
    );
  }

  /** For what the person signs with a passkey: exactly this request, within five minutes. */
  async function withProof<S extends v.GenericSchema<unknown, { proof: v.InferOutput<typeof proofSchema> }>>(
    c: PeopleContext,
    schema: S,
    handle: (actor: PersonActor, body: v.InferOutput<S>) => Promise<Response>,
  ): Promise<Response> {
    return withQuota(c, async (actor) => {
      const body = await parsed(c, schema);
      if (body instanceof Response) return body;
      const { ticket, response } = body.proof;
      const statement = actStatement(c.req.method, c.req.path, { ...body });
      const challenge = tickets.challenge(ticket, { purpose: 'act', binding: actor.session, statement });
      if (challenge === null)
        return refusePasskey('This was confirmed for something else, or more than five minutes ago.');
      if (isOfDemo(actor.person)) return handle(actor, body);
      const id = String(response['id']);
      const passkey = await people.findPasskey(id, rpId);
      if (passkey?.person !== actor.person) return refusePasskey('This passkey isn’t yours, or has ended.');
      const checked = await checkSignature(response, challenge, { id, publicKey: passkey.publicKey });
      return 'fault' in checked ? refusePasskey(checked.fault) : handle({ ...actor, passkey: id }, body);
    });
  }

  function checkSignature(
    response: Record<string, unknown>,
    challenge: Uint8Array<ArrayBuffer>,
    passkey: { id: string; publicKey: string },
  ) {
    return checkAssertion({ response, challenge, origin, rpId, passkey });
  }

  /** The browser's pre-session cookie, set if it has none. */
  function preSessionOf(c: PeopleContext): string {
    const header = c.req.header('cookie');
    const own = cookies.preSession(header);
    if (own !== null) return own;
    const value = randomBytes(16).toString('base64url');
    c.header('Set-Cookie', cookies.setPreSession(cookies.nameFor(header), value), { append: true });
    return value;
  }

  function refusePasskey(fault: PasskeyFault): Response {
    noteRefusal();
    return refusal('passkey_refused', 403, fault);
  }
}

function refuseNobody(): Response {
  return refusal('not_found', 404, 'There is nobody to do this for, or it is yourself.');
}

function refuseName(): Response {
  return refusal('name_taken', 409, 'Somebody here has this name. Add a surname or a number.');
}

function sendInvite(
  c: PeopleContext,
  { person, token, expiresAt }: { person: string; token: string; expiresAt: number },
) {
  return c.json({ person, token, expires_at: expiresAt }, 201);
}

function idOf(c: PeopleContext): string {
  return c.req.param('id') ?? '';
}
